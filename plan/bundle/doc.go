// Package bundle is what a walk leaves behind, as files.
//
// A Bundle is an archive of a manifest with one row per leaf, plan.json, the
// traces of leaves and the texts that were walked; it holds nothing of the
// machine or the clock, so that two walks of equal inputs give equal bytes.
// The package writes and reads it, joins the bundles of shards, and keeps the
// journal from which a walk is resumed. It runs nothing.
package bundle
