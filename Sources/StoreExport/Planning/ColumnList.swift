import ImportMappings
import PredicateExpressions
import StoreFetching

/// Collects the columns of a file.
struct ColumnList {
    let format: ExportFormat
    private(set) var columns: [ExportColumn] = []
    /// The forms of the values, by the names of the columns, for texts that are composed of them.
    private(set) var forms: [String: ValueForm] = [:]
    private(set) var lists: Set<String> = []
    private(set) var problems: [String] = []
    /// The separator of lists in CSV; one for the whole file.
    private(set) var separator: String?
    var nullTokens: [String] = ["\\N"]
    /// Attributes whose values are composed of several columns, or computed.
    var deferred: [DeferredAttribute] = []
    /// Whether a trial of each record is required to find out if it can be read back.
    var needsTrial = false

    init(format: ExportFormat) {
        self.format = format
    }

    /// Returns a column by its name in the mapping; nil if it has no value yet.
    subscript(text: String) -> ExportColumn? {
        columns.first { $0.text == text && !$0.isEmpty }
    }

    /// Adds a column, by its name in the mapping.
    mutating func add(
        _ text: String, _ content: FetchedProperty.Content, _ style: ValueStyle = ValueStyle(), form: ValueForm = .text,
        isList: Bool = false
    ) {
        guard let path = path(text, isList: isList) else { return }
        var column = ExportColumn(path: path.steps, content, style, text: text)
        column.style.elementKey = path.elementKey
        if let known = columns.firstIndex(where: { $0.path == path.steps }) {
            // If one of two values is NULL, the import would take the other one. The trial detects this.
            if columns[known].isEmpty != column.isEmpty { needsTrial = true }
            if columns[known].isEmpty {
                columns[known] = column
                forms[text] = form
            } else if column.isEmpty {
                return
            } else if columns[known].content != content {
                problems.append("\(text) would need to hold two values")
            }
            return
        }
        if isList { lists.insert(text) }
        if format == .xml,
            path.steps.contains(where: \.isItem) || path.steps.dropFirst().contains(where: \.isAttribute)
                || path.steps.last == .name(".")
        {
            needsTrial = true
        }
        if !column.isEmpty { forms[text] = form }
        columns.append(column)
    }

    /// Adds columns of which an import takes the first one that has a value; the others stay empty.
    mutating func add(
        firstOf names: [String], _ content: FetchedProperty.Content, _ style: ValueStyle, form: ValueForm,
        isList: Bool = false
    ) {
        guard let first = names.first else { return }
        add(first, content, style, form: form, isList: isList)
        for name in names.dropFirst() { add(name, .expression(.constant(.null))) }
    }

    private mutating func path(_ text: String, isList: Bool) -> (steps: [RecordStep], elementKey: String?)? {
        guard format != .csv else { return ([.name(text)], nil) }
        // An XML attribute contains no other values, and a JSON value has no text beside it.
        guard let path = ColumnPath(text), path.isList == isList,
            format == .xml ? !path.steps.dropLast().contains(where: \.isAttribute) : !path.isText
        else {
            problems.append("the path \(text) leads into a part of the record, which is not written")
            return nil
        }
        if let other = columns.first(where: { clash(path.steps, $0.path) }) {
            problems.append("\(text) and \(other.text) overlap; name another column for one of them")
            return nil
        }
        return (path.steps, path.elementKey)
    }

    /// Returns whether a value would contain another one, or would be both a list and an object. The text of an XML
    /// element may be beside attributes.
    private func clash(_ left: [RecordStep], _ right: [RecordStep]) -> Bool {
        let common = zip(left, right).prefix { $0 == $1 }.count
        let (left, right) = (left.dropFirst(common), right.dropFirst(common))
        if let first = left.first, let second = right.first { return first.isItem != second.isItem }
        let inner = left.isEmpty ? right : left
        return !inner.isEmpty && !(format == .xml && inner.count == 1 && inner.allSatisfy(\.isAttribute))
    }

    mutating func join(by text: String) {
        if separator == nil { separator = text }
        guard separator != text else { return }
        problems.append("lists are separated by \(separator ?? "") and by \(text); use one of them")
    }

    /// Groups paths with a common beginning, in the order of their first paths; places in an array are in order.
    static func grouped(_ columns: [ExportColumn]) -> [ExportColumn] {
        grouped(columns, from: 0)
    }

    private static func grouped(_ columns: [ExportColumn], from depth: Int) -> [ExportColumn] {
        var groups: [(step: RecordStep, columns: [ExportColumn])] = []
        for column in columns {
            if let index = groups.firstIndex(where: { $0.step == column.path[depth] }) {
                groups[index].columns.append(column)
            } else {
                groups.append((column.path[depth], [column]))
            }
        }
        if groups.allSatisfy(\.step.isItem) { groups.sort { $0.step < $1.step } }
        return groups.flatMap { group in
            group.columns.filter { $0.path.count == depth + 1 }
                + grouped(group.columns.filter { $0.path.count > depth + 1 }, from: depth + 1)
        }
    }
}

/// An attribute whose columns are determined after all others.
struct DeferredAttribute {
    let mapped: AttributeMapping
    let attribute: FetchedProperty.Content
    let form: ValueForm
    let style: ValueStyle
    let place: String
}
