/// One step of a program. It contains only numbers, so that executing the program counts no references.
enum ProgramNode {
    case constant(Int)
    /// A name that starts at `SELF` or a variable.
    case slot(Int)
    /// The variable of a `SUBQUERY`.
    case local(Int)
    /// A key of an object (by slot) or of another value; for a collection, of each element.
    case key(of: Int, slot: Int?, valueKey: ValueKey?)
    case call(slot: Int, target: Int?, arguments: Range<Int>)
    case method(ValueMethod, of: Int, arguments: Range<Int>)
    case fetch(request: Int, context: Int, countOnly: Bool)

    case arithmetic(ArithmeticOperator, Int, Int)
    case number(NumberFunction, of: Int)
    case text(TextFunction, of: Int)
    case tokens(of: Int, separators: Int)
    case collection(CollectionFunction, of: Int)
    case cast(Int, to: CastTarget)
    case now
    case random
    case randomBelow(Int)
    case newUUID

    case list(Range<Int>)
    case set(SetOperation, Int, Int)
    case element(of: Int, at: Int)
    case symbolicElement(of: Int, SymbolicIndex)
    case subquery(collection: Int, local: Int, predicate: Int)
    case conditional(predicate: Int, then: Int, otherwise: Int)

    case truth(Bool)
    case and(Range<Int>)
    case or(Range<Int>)
    case not(Int)
    case compare(ProgramComparison)
}

/// A comparison of two nodes.
struct ProgramComparison {
    let left: Int
    let right: Int
    let comparisonOperator: ComparisonOperator
    let modifier: ComparisonPredicate.Modifier
    let options: ComparisonOptions
    /// Whether one side is `NULL` or a variable: then `=` tests whether the other is NULL too, like SQL's `IS`.
    let asksForNull: Bool
    /// The prepared right side, if it is a constant of LIKE or MATCHES.
    let pattern: Int?
}
