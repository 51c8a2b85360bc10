package kernel

// A Language is what a kernel says of itself and of its cells in
// kernel_info_reply. It is data: nothing here changes how cells run.
type Language struct {
	Name        string // language_info.name and the kernelspec's language
	Version     string // of the language
	MIME        string // completion in some front ends needs it
	Extension   string // of a file, with its dot
	Pygments    string // lexer for nbconvert; one that Pygments has
	CodeMirror  any    // codemirror_mode: a name, or what to look for in turn
	NBConvert   string // exporter; "" is the front end's own
	DisplayName string // in the launcher of a front end
}

// SysML is the language of cells that hold SysML v2 text and magics. Front
// ends without our extension colour it like Java, which comes closest.
var SysML = Language{
	Name: "sysml", Version: "2.0", MIME: "text/x-sysml", Extension: ".sysml",
	Pygments: "java", DisplayName: "SysML v2 (Orrery)",
	CodeMirror: map[string]any{"name": "sysml", "mime": "text/x-sysml", "extensions": []string{"java"}},
}

// Starlark is the language of a kernel whose cells are Starlark unless they
// say otherwise. Python is the closest that front ends have by themselves.
var Starlark = Language{
	Name: "starlark", Version: "1.0", MIME: "text/x-starlark", Extension: ".star",
	Pygments: "python", DisplayName: "Starlark over SysML v2 (Orrery)",
	CodeMirror: map[string]any{"name": "starlark", "mime": "text/x-starlark", "extensions": []string{"py"}},
}

// info is language_info of kernel_info_reply, which front ends also store in
// the notebooks that they save.
func (l Language) info() object {
	info := object{"name": l.Name, "version": l.Version, "mimetype": l.MIME, "file_extension": l.Extension}
	for key, v := range map[string]string{"pygments_lexer": l.Pygments, "nbconvert_exporter": l.NBConvert} {
		if v != "" {
			info[key] = v
		}
	}
	if l.CodeMirror != nil {
		info["codemirror_mode"] = l.CodeMirror
	}
	return info
}

// A Link is an entry of a front end's Help menu.
type Link struct {
	Text string `json:"text"`
	URL  string `json:"url"`
}
