/// The order of values for a sort descriptor's method, which is that of SQLite's sort keys: NULL comes first.
public struct SortOrder: Sendable {
    private enum Kind {
        case plain
        case folded
        case text(TextSortKey.Order)
    }

    private let kind: Kind

    /// Makes the order for a sort descriptor's method; nil if the method is unknown.
    /// - Parameter selector: the method, as for `SQLSortKey`; nil for `compare:`.
    public init?(selector: String?) {
        guard let selector, selector != "compare:" else {
            kind = .plain
            return
        }
        if selector == "caseInsensitiveCompare:" {
            kind = .folded
        } else if let order = TextSortKey.Order(rawValue: selector) {
            kind = .text(order)
        } else {
            return nil
        }
    }

    /// Returns -1, 0 or 1. Values of types without an order are equal.
    public func order(_ left: ExpressionValue, _ right: ExpressionValue) -> Int {
        switch (left, right) {
        case (.null, .null): return 0
        case (.null, _): return -1
        case (_, .null): return 1
        case (.string(let left), .string(let right)):
            switch kind {
            case .plain: break
            case .folded:
                return Self.order(
                    TextFolding.folded(left, .caseInsensitive).utf8, TextFolding.folded(right, .caseInsensitive).utf8)
            case .text(let order): return Self.order(TextSortKey.bytes(left, order), TextSortKey.bytes(right, order))
            }
        default: break
        }
        return (try? ValueComparison.order(left, right)) ?? 0
    }

    private static func order(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> Int {
        if left.elementsEqual(right) { return 0 }
        return left.lexicographicallyPrecedes(right) ? -1 : 1
    }
}
