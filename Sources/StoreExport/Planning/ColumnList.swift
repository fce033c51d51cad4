import PredicateExpressions
import StoreFetching

/// The columns of a file while they are collected.
struct ColumnList {
    let format: ExportFormat
    private(set) var columns: [ExportColumn] = []
    private(set) var problems: [String] = []
    /// What lists are joined by in CSV; one for the whole file.
    private(set) var separator: String?
    var nullTokens: [String] = ["\\N"]

    init(format: ExportFormat) {
        self.format = format
    }

    /// Adds a column, by what a mapping calls it.
    mutating func add(_ text: String, _ value: Expression, _ style: ValueStyle, isList: Bool = false) {
        guard let path = path(text, isList: isList) else { return }
        if let known = columns.firstIndex(where: { $0.path == path }) {
            if columns[known].value == .constant(.null) {
                columns[known].value = value
                columns[known].style = style
            } else if columns[known].value != value, value != .constant(.null) {
                problems.append("\(text) would have to hold two values")
            }
            return
        }
        columns.append(ExportColumn(path: path, value: value, style: style))
    }

    private mutating func path(_ text: String, isList: Bool) -> [String]? {
        guard format != .csv else { return [text] }
        // The text of the element itself.
        if format == .xml, text == ".", !isList { return ["."] }
        guard let path = ColumnPath(text), path.isList == isList, format != .xml || path.names.count == 1 else {
            problems.append("the path \(text) leads into a part of the record, which is not written")
            return nil
        }
        return path.names
    }

    mutating func join(by text: String) {
        if separator == nil { separator = text }
        guard separator != text else { return }
        problems.append("lists are separated by \(separator ?? "") and by \(text); use one of them")
    }

    /// Paths with equal beginnings side by side, as nested objects need it, in the order of their first.
    static func grouped(_ columns: [ExportColumn]) -> [ExportColumn] {
        var groups: [(key: String, columns: [ExportColumn])] = []
        for column in columns {
            let key = column.path.count > 1 ? column.path[0] : "\u{0}" + (column.path.last ?? "")
            if let index = groups.firstIndex(where: { $0.key == key }) {
                groups[index].columns.append(column)
            } else {
                groups.append((key, [column]))
            }
        }
        return groups.flatMap { group in
            guard group.columns.contains(where: { $0.path.count > 2 }) else { return group.columns }
            let inner = group.columns.map {
                ExportColumn(path: Array($0.path.dropFirst()), value: $0.value, style: $0.style)
            }
            return grouped(inner).map { ExportColumn(path: [group.key] + $0.path, value: $0.value, style: $0.style) }
        }
    }
}
