// Written by `go test -update`: do not edit.

// What SysML reserves.
export const sysml = new Set((
  "about abstract accept action actor after alias all allocate allocation analysis and as assert " +
  "assign assume at attribute bind binding by calc case comment concern connect connection " +
  "constant constraint crosses decide def default defined dependency derived do doc else end " +
  "entry enum event exhibit exit expose false filter first flow for fork frame from hastype if " +
  "implies import in include individual inout interface istype item join language library locale " +
  "loop merge message meta metadata new nonunique not null objective occurrence of or ordered out " +
  "package parallel part perform port private protected public redefines ref references render " +
  "rendering rep require requirement return satisfy send snapshot specializes stakeholder " +
  "standard state subject subsets succession terminate then timeslice to transition true until " +
  "use variant variation verification verify via view viewpoint when while xor"
).split(" "));

// What KerML reserves.
export const kerml = new Set((
  "about abstract alias all and as assoc behavior binding bool by chains class classifier comment " +
  "composite conjugate conjugates conjugation connector const crosses datatype default dependency " +
  "derived differences disjoining disjoint doc else end expr false feature featured featuring " +
  "filter first flow for from function hastype if implies import in inout interaction intersects " +
  "inv inverse inverting istype language library locale member meta metaclass metadata " +
  "multiplicity namespace new nonunique not null of or ordered out package portion predicate " +
  "private protected public redefines redefinition references rep return specialization " +
  "specializes standard step struct subclassifier subset subsets subtype succession then to true " +
  "type typed typing unions var xor"
).split(" "));

export const reserved = { sysml, kerml };

// What of both can begin an expression.
export const expression = new Set((
  "all and as else false hastype if implies istype meta metadata new not null or true xor"
).split(" "));

// What a Starlark cell can name before it has declared anything.
export const builtins = new Set((
  "False None True abs action adopt all analysis any bool bytes calc cases check choose chr " +
  "clear_output constraint dict dir draw_policies enum enumerate eprint expect expect_close " +
  "expect_equal expect_error explore fail float getattr globals halt hasattr hash inconclusive " +
  "input instantiate int interval json len list match math max min model nondet ord orders print " +
  "quantity range repr requirement reversed satisfaction schedules seeds set show sorted state " +
  "str struct tuple type unbounded unset use variation verification zip"
).split(" "));
