/// How large a value may become while an expression is evaluated for one row: a short expression can multiply a text at
/// each of its levels, and so ask for more than any memory holds.
public struct EvaluationLimits: Sendable, Hashable {
    /// The bytes of a text that is put together; texts that are only read may be longer. 16 MiB without another.
    public var textBytes = 16 << 20

    /// Elements of a collection that a text is taken apart to.
    public var elements = 1 << 20

    /// Elements that subqueries look at, all together: nested ones look at each as often as the outer have elements.
    public var subqueryElements = 100_000_000

    /// The limits that evaluations have unless told.
    public init() {}

    func check(textBytes bytes: Int) throws(EvaluationFault) {
        guard bytes <= textBytes else {
            throw EvaluationFault(.tooLarge, "the string becomes longer than \(textBytes) bytes; process it in parts")
        }
    }

    func check(elements count: Int) throws(EvaluationFault) {
        guard count <= elements else {
            throw EvaluationFault(.tooLarge, "the string has more than \(elements) parts; split a shorter one")
        }
    }
}
