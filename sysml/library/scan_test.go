package library

import (
	"fmt"
	"strings"
	"testing"
)

func TestTopPackages(t *testing.T) {
	for _, c := range []struct {
		text, want string // names as "short/name", apart by blanks
	}{
		{"", ""},
		{"package A { package B; } package C;", "/A /C"},
		{"standard library package <S> 'a b' { }", "S/a b"},
		{`package 'it\'s';`, "/it's"},
		{"namespace N;", "/N"},
		{"package;", ""},
		{"package { } package A;", "/A"},
		{"package <S>;", "S/"},
		{"package <S> { } package A;", "S/ /A"},
		{"/* package X; */ package A; // package Y;", "/A"},
		{"//* package X;\n*/ package A;", "/A"},
		{"//*/ package X; */ package A;", "/A"},
		{"/*/ package X; */ package A;", "/A"},
		{"comment /* } */ package A { doc /* } */ } package B;", "/A /B"},
		{`package A { x = "}"; '}' ; } package B;`, "/A /B"},
		{`package A { "\"}" } package B;`, "/A /B"},
		{"part def P { package Q; } package A;", "/A"},
		{"package A { ", "/A"},
		{"package A { '", "/A"},
		{"package", ""},
		{"package <", ""},
		{"} package A;", "/A"},
		{"packages A; package_ B;", ""},
	} {
		var got []string
		for _, p := range topPackages(c.text) {
			got = append(got, p.short+"/"+p.name)
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestMembersOf(t *testing.T) {
	for _, c := range []struct{ text, holds, lacks string }{
		{"package P { part def A :> B; part a : A = b; }", "A a", "B b"},
		{"package P { attribute <s> 'long name' : T { x; } y; }", "s y", "x T"},
		{"package P { :>> r : T; part ::> q; feature redefines f; }", "r q f", "T"},
		{"package P { alias a for N; package Q { b; } c; }", "a Q c", "b"},
		{"package P { private import N::n; a; }", "a", "n N other"},
		{"package P { public import N::*; }", "other", ""},
		{"package P { import N::*; }", "other", ""},
		{"package P { a; } package Q { b; }", "a b", "c"},
		{"package P; package Q { b; }", "b", ""},
		{"package P { doc /* x; */ a; // b;\n }", "a", "b x"},
		{"package P { calc def C { in x; return y = {z}; } d = a.{in e; e}; f; }", "C d f", "x y a"},
		{"package P { a", "a", ""},
	} {
		m := membersOf(c.text)
		for name := range strings.FieldsSeq(c.holds) {
			if !m.mayHold(name) {
				t.Errorf("%s: cannot hold %s", c.text, name)
			}
		}
		for name := range strings.FieldsSeq(c.lacks) {
			if m.mayHold(name) {
				t.Errorf("%s: may hold %s", c.text, name)
			}
		}
	}
}

// No text makes the scan fail, and a package in front is found whatever
// follows.
func FuzzTopPackages(f *testing.F) {
	for _, s := range []string{"", "}", "{", "package", "/*", "//*", "'\\", "\"", "<x>", "package <a> b { } c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		topPackages(text)
		membersOf(text)
		found := topPackages("package Front; " + text)
		if len(found) == 0 || found[0] != (topPackage{"Front", ""}) {
			t.Errorf("found %s", fmt.Sprint(found))
		}
	})
}
