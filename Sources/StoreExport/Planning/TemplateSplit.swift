import SQLiteAccess
import StoreFetching

/// The text of a column in a text that a template creates: the shortest text that fits between the known pieces.
///
/// No other value uses the columns, so any division that results in the same text is correct.
struct TemplateSplit: Sendable {
    enum Piece: Sendable {
        case literal([UInt8])
        /// The text of another column, computed from these values.
        case known(ComputedText.Body, Range<Int>)
        case free
    }

    let pieces: [Piece]
    /// The index of the free piece whose text is returned.
    let piece: Int

    /// Returns nil if the template cannot create the text, or if the column's part of it is missing.
    func text(in whole: [UInt8], _ values: [SQLiteValue]) throws -> [UInt8]? {
        // The texts before each free piece, and after the last one.
        var between: [[UInt8]] = [[]]
        for piece in pieces {
            switch piece {
            case .literal(let bytes): between[between.count - 1] += bytes
            case .known(let body, let range): between[between.count - 1] += try body(Array(values[range])) ?? []
            case .free: between.append([])
            }
        }
        guard whole.starts(with: between[0]) else { return nil }
        var start = between[0].count
        var found: [UInt8]?
        for index in 1..<between.count {
            let isLast = index == between.count - 1
            guard
                let end = isLast
                    ? Self.suffix(between[index], of: whole, from: start)
                    : Self.first(between[index], in: whole, from: start)
            else { return nil }
            if index - 1 == piece { found = Array(whole[start..<end]) }
            start = end + between[index].count
        }
        return found?.isEmpty ?? true ? nil : found
    }

    private static func suffix(_ text: [UInt8], of whole: [UInt8], from start: Int) -> Int? {
        let end = whole.count - text.count
        return end >= start && whole[end...].elementsEqual(text) ? end : nil
    }

    private static func first(_ text: [UInt8], in whole: [UInt8], from start: Int) -> Int? {
        guard whole.count - text.count >= start else { return nil }
        return (start...whole.count - text.count).first { whole[$0..<$0 + text.count].elementsEqual(text) }
    }
}
