// Package report shows plans and the results of walks.
//
// A manifest becomes a summary for a terminal, JUnit XML for a CI system, and
// a page of HTML that needs nothing but a browser; plan.json becomes a tree of
// text, a graph for Graphviz or Mermaid. Texts of plans and models are
// untrusted: everything is escaped for where it goes. The package reads the
// documents of bundle and runs nothing.
package report
