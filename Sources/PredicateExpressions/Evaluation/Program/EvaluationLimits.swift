/// Limits on the size of values during the evaluation for one row. A short expression can multiply a text at each of
/// its levels, and thus require more memory than any machine has.
public struct EvaluationLimits: Sendable, Hashable {
    /// The maximum size of a computed text in bytes; texts that are only read may be longer. The default is 16 MiB.
    public var textBytes = 16 << 20

    /// The maximum number of elements into which a text is split.
    public var elements = 1 << 20

    /// The maximum number of elements that all subqueries examine together: nested ones examine theirs for each element
    /// of the outer ones.
    public var subqueryElements = 100_000_000

    /// Makes the default limits.
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
