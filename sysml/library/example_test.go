package library_test

import (
	"fmt"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/library"
)

func ExampleEmbedded() {
	file, ok := library.Embedded().Lookup("SI")
	fmt.Println(file.Name, ok)
	for line := range strings.Lines(file.Text) {
		if strings.Contains(line, "<km>") {
			fmt.Println(strings.TrimSpace(line))
		}
	}
	// Output:
	// SI.sysml true
	// attribute <km> kilometre : LengthUnit { :>> unitConversion : ConversionByPrefix { :>> prefix = kilo; :>> referenceUnit = m; } }
}
