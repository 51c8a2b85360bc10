package syntax_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// benchmarkModel is a model of ordinary density, documentation included.
const benchmarkModel = `
package Harbor {
	doc /* What a harbor needs to move ships: tugs, quays and those who work there. */
	private import ScalarValues::*;
	public import ISQ::*;

	/* A tug pulls and pushes what cannot move by itself. */
	part def Tug :> Vessel {
		attribute draft : LengthValue = 4.5 [m];
		attribute crewSize : Integer[1] default 6;
		port towing : ~TowingPort[0..2] ordered;
		part engines : Engine[2] {
			attribute :>> power = 1200 [kW];
		}
		exhibit state operation : TugStates; // see below
	}
	action def Berth {
		in ship : Ship;
		out quay : Quay[0..1];
		first start;
		then action approach { in target = ship.position; }
		then decide;
			if ship.length > 200 and not ship.hasThrusters then callTug;
			else moor;
		action callTug send new Call(ship) via radio to tower;
		then action moor;
		then done;
	}
	state def TugStates {
		entry; then idle;
		state idle;
		transition to_work first idle accept c : Call via radio if fuel >= 0.25 do action { assign jobs := jobs + 1; } then working;
		state working { do action pull; }
		accept Done then idle;
	}
	calc def Clearance { in depth : Real; in draft : Real; return : Real = depth - draft; }
	requirement def <'R1'> SafeDepth {
		doc /* Enough water under the keel. */
		subject ship : Ship;
		require constraint { Clearance(ship.depth, ship.draft) >= 0.5 and ship.tugs->forAll { in t; t.ready } }
	}
}
`

// BenchmarkParse shows the speed for one model and for up to 1,000 of them in a
// text; the cost of a byte must not grow.
func BenchmarkParse(b *testing.B) {
	for _, models := range []int{1, 125, 250, 500, 1000} {
		file := source.NewFile("harbor.sysml", strings.Repeat(benchmarkModel, models))
		b.Run(strconv.Itoa(models), func(b *testing.B) {
			b.SetBytes(int64(len(file.Text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, diagnostics := syntax.Parse(file, syntax.Options{}); len(diagnostics) > 0 {
					b.Fatal(diagnostics)
				}
			}
		})
	}
}

func BenchmarkFormat(b *testing.B) {
	file := source.NewFile("harbor.sysml", strings.Repeat(benchmarkModel, 100))
	tree, _ := syntax.Parse(file, syntax.Options{})
	b.SetBytes(int64(len(file.Text)))
	for b.Loop() {
		syntax.Format(tree)
	}
}

func BenchmarkParsePart(b *testing.B) {
	file := source.NewFile("cell", "part def Tug :> Vessel { attribute draft : LengthValue = 4.5 [m]; }")
	b.SetBytes(int64(len(file.Text)))
	b.ReportAllocs()
	for b.Loop() {
		syntax.ParsePart(file, 0, syntax.Options{})
	}
}
