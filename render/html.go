package render

import (
	"strings"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// This file holds what every piece of HTML shares. Text keeps the theme's own
// colour, and what has a colour is mixed with that, so that it is darker on
// white paper and brighter on black: no single colour can be read on both. What
// cannot mix shows the colour alone. Backgrounds are translucent. There is no
// style sheet, script or id, so that outputs survive sanitizing and can share a
// document.

const (
	styleRed    = "color:#d33;color:color-mix(in srgb,#d33 65%,currentColor)"
	styleAmber  = "color:#b7791f;color:color-mix(in srgb,#b7791f 65%,currentColor)"
	styleGreen  = "color:#2e9e5b;color:color-mix(in srgb,#2e9e5b 65%,currentColor)"
	styleBlue   = "color:#3b82c4;color:color-mix(in srgb,#3b82c4 65%,currentColor)"
	styleMuted  = "opacity:.65"
	styleBorder = "1px solid rgba(128,128,128,.35)"
	styleMono   = "font-family:var(--jp-code-font-family,ui-monospace,monospace);font-size:.92em"
)

var htmlEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

// escape makes s harmless as text and as a quoted attribute of HTML.
func escape(s string) string { return htmlEscaper.Replace(s) }

// element is <tag style="style">content</tag>; content is HTML already.
func element(tag, style, content string) string {
	if style == "" {
		return "<" + tag + ">" + content + "</" + tag + ">"
	}
	return "<" + tag + ` style="` + style + `">` + content + "</" + tag + ">"
}

// pre is s in a fixed-width block that keeps its lines.
func pre(content string) string {
	return element("pre", styleMono+";margin:.2em 0;white-space:pre-wrap;background:none", content)
}

func severityStyle(s diagnostic.Severity) string {
	return [...]string{styleRed, styleAmber, styleBlue}[s]
}

// Strong is text as a heading of its own line.
func Strong(text string) string { return element("div", styleMono+";font-weight:600", lines(text)) }

// Paragraph is running text.
func Paragraph(text string) string {
	return element("div", "margin:.3em 0;max-width:60em", lines(text))
}

// Aside is text beside the point.
func Aside(text string) string { return element("div", styleMuted, lines(text)) }

// Preformatted is notation, its lines kept.
func Preformatted(text string) string { return pre(escape(text)) }

// FileLink is a link to a file beside the document.
func FileLink(name string) string {
	return `<a href="` + escape(name) + `" download>` + escape(name) + "</a>"
}

// Note is a line that a session says about itself, set apart from results.
func Note(text string) Bundle { return Text(text+"\n").With(HTML, Aside(text)) }
