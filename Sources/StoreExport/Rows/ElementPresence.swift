import SQLiteAccess
import StoreFetching

/// The values because of which an XML element exists although its own text is NULL: its attributes, and later elements
/// of a list.
///
/// Imports read such a text as an empty one.
struct ElementPresence {
    /// The positions of the other columns in the cursor's statement.
    private var places: [Int32] = []
    /// Whether the text belongs to the record's own element.
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

    /// Returns whether the element exists in the current row.
    func isPresent(_ statement: Statement) -> Bool {
        isRecord || places.contains { !statement.isNull($0) }
    }
}
