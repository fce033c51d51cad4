import SQLiteAccess
import StoreFetching

/// What a column has in a text that a template makes: between what is known, the shortest that fits.
///
/// Any split that makes the same text is as good as another: no other value uses the columns.
struct TemplateSplit: Sendable {
    enum Piece: Sendable {
        case literal([UInt8])
        /// The text of another column, of these values.
        case known(ComputedText.Body, Range<Int>)
        case free
    }

    let pieces: [Piece]
    /// Which of the free pieces is wanted.
    let piece: Int

    /// nil if the text is not one of the template's, or has nothing for the column.
    func text(in whole: [UInt8], _ values: [SQLiteValue]) throws -> [UInt8]? {
        // What stands before each free piece, and behind the last.
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
