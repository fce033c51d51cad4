import KeyedArchives
import TextEncodings

/// The comparison of two values.
enum ValueComparison {
    /// Returns the order, -1, 0 or 1; nil (unknown) if a side is NULL. Values of different types have no order, which
    /// is an error.
    @inline(__always)
    static func order(_ left: ExpressionValue, _ right: ExpressionValue) throws(EvaluationFault) -> Int? {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): return left < right ? -1 : left > right ? 1 : 0
        case (.null, _), (_, .null): return nil
        default: return try orderOther(left, right)
        }
    }

    private static func orderOther(
        _ left: ExpressionValue, _ right: ExpressionValue
    ) throws(EvaluationFault) -> Int? {
        switch (left, right) {
        case (.string(let left), .string(let right)), (.url(let left), .url(let right)),
            (.string(let left), .url(let right)), (.url(let left), .string(let right)):
            return order(left.utf8, right.utf8)
        case (.date(let left), .date(let right)): return NumberValue.order(.real(left), .real(right))
        case (.data(let left), .data(let right)), (.uuid(let left), .uuid(let right)): return order(left, right)
        default:
            guard let first = NumberValue(left), let second = NumberValue(right) else {
                throw EvaluationFault(.typeMismatch, "\(left.kind) and \(right.kind) have no order")
            }
            return NumberValue.order(first, second)
        }
    }

    /// Returns the order by code units, which for UTF-8 is that of code points, like SQLite's BINARY collation.
    private static func order(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> Int {
        var first = left.makeIterator()
        var second = right.makeIterator()
        while true {
            switch (first.next(), second.next()) {
            case (nil, nil): return 0
            case (nil, _): return -1
            case (_, nil): return 1
            case (let one?, let other?) where one != other: return one < other ? -1 : 1
            default: break
            }
        }
    }

    /// Returns whether the values are equal; nil (unknown) if a side is NULL. Values of different types are not equal.
    static func isEqual(_ left: ExpressionValue, _ right: ExpressionValue) -> Bool? {
        switch (left, right) {
        case (.null, _), (_, .null): return nil
        case (.integer(let left), .integer(let right)): return left == right
        case (.string(let left), .string(let right)), (.url(let left), .url(let right)),
            (.string(let left), .url(let right)), (.url(let left), .string(let right)):
            return isEqual(left, right)
        case (.uuid(let bytes), .string(let text)), (.string(let text), .uuid(let bytes)):
            return UUIDText.bytes(text) == bytes
        case (.date(let left), .date(let right)): return left == right
        case (.array, .array), (.set, .set), (.array, .set), (.set, .array):
            return DistinctKey(left) == DistinctKey(right)
        default:
            if let first = NumberValue(left), let second = NumberValue(right) {
                return NumberValue.order(first, second).map { $0 == 0 }
            }
            return left == right
        }
    }

    /// Compares byte by byte: `==` of strings would treat a letter with a combining mark as equal to the precomposed
    /// letter.
    @inline(__always)
    static func isEqual(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
    }
}
