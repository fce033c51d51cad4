import SQLiteAccess
import StoreFetching

/// What makes an XML element although its own text is NULL: its attributes, and elements that come behind it in a list.
///
/// Imports take such a text for an empty one.
struct ElementPresence {
    /// The places of the other columns in the cursor's statement.
    private var places: [Int32] = []
    /// Whether it is the text of the record's own element.
    private var isRecord = false

    init(of column: Int, in columns: [ExportColumn], _ format: ExportFormat, places: [(column: Int, place: Int32)]) {
        guard format == .xml, let last = columns[column].path.last, !last.isAttribute else { return }
        let element = last == .name(".") ? columns[column].path.dropLast() : columns[column].path[...]
        isRecord = element.isEmpty
        self.places = places.filter { other in
            other.column != column && Self.makes(columns[other.column].path, element)
        }.map(\.place)
    }

    private static func makes(_ path: [RecordStep], _ element: ArraySlice<RecordStep>) -> Bool {
        if path.count > element.count, path.starts(with: element) { return true }
        guard let last = element.last, last.isItem, path.count >= element.count, path.starts(with: element.dropLast())
        else { return false }
        let other = path[element.count - 1]
        return other.isItem && last < other
    }

    /// Whether the element is there in the current row.
    func isPresent(_ statement: Statement) -> Bool {
        isRecord || places.contains { !statement.isNull($0) }
    }
}
