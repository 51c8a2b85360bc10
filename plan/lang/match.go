package lang

import (
	"path"
	"regexp"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// matcher is the condition that a pattern states on a name.
func matcher(pattern string) (func(string) bool, error) {
	if expr, ok := strings.CutPrefix(pattern, "~"); ok {
		re, err := regexp.Compile(expr)
		if err != nil {
			return nil, diagnostic.New(PlanLoad, source.Span{}, "the pattern "+pattern+" is no regular expression").
				WithHint("a pattern is a name, a glob with * and ?, or ~ and a regular expression")
		}
		return re.MatchString, nil
	}
	if _, err := path.Match(pattern, ""); err != nil {
		return nil, diagnostic.New(PlanLoad, source.Span{}, "the pattern "+pattern+" has an open bracket")
	}
	return func(name string) bool {
		ok, _ := path.Match(pattern, name)
		return ok || name == pattern
	}, nil
}

func baseName(name string) string { return path.Base(strings.ReplaceAll(name, "\\", "/")) }
