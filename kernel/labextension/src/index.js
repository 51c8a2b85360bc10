// The extension of JupyterLab and Notebook 7: languages and types of files.

import { IEditorLanguageRegistry } from "@jupyterlab/codemirror";
import { LabIcon } from "@jupyterlab/ui-components";
import { languages } from "./languages.js";
import sysmlIcon from "../style/sysml.svg";
import kermlIcon from "../style/kerml.svg";

const icons = { sysml: sysmlIcon, kerml: kermlIcon };

// known reports whether another extension has brought the language already.
function known(registry, language) {
  return registry.findByName(language.name) || registry.findByMIME(language.mime, true);
}

export default {
  id: "orrery-sysml:languages",
  description: "Colours SysML, KerML, Starlark and the magics of Orrery's cells.",
  autoStart: true,
  requires: [IEditorLanguageRegistry],
  activate(app, registry) {
    for (const language of languages) {
      if (!known(registry, language)) registry.addLanguage(language);
      if (!icons[language.name]) continue;
      app.docRegistry.addFileType({
        name: language.name,
        displayName: language.displayName,
        extensions: language.extensions.map((e) => "." + e),
        mimeTypes: [language.mime],
        contentType: "file",
        fileFormat: "text",
        icon: new LabIcon({ name: "orrery-sysml:" + language.name, svgstr: icons[language.name] }),
      });
    }
  },
};
