import ImportMappings
import PredicateExpressions
import StoreFetching

/// The columns of a file while they are collected.
struct ColumnList {
    let format: ExportFormat
    private(set) var columns: [ExportColumn] = []
    /// The forms of the values, by the columns' texts: for texts that are made of them.
    private(set) var forms: [String: ValueForm] = [:]
    private(set) var lists: Set<String> = []
    private(set) var problems: [String] = []
    /// What lists are joined by in CSV; one for the whole file.
    private(set) var separator: String?
    var nullTokens: [String] = ["\\N"]
    /// Attributes whose values are made of several columns, or computed.
    var deferred: [DeferredAttribute] = []
    /// Whether only the values tell if the records come back.
    var needsTrial = false

    init(format: ExportFormat) {
        self.format = format
    }

    /// A column by what a mapping calls it; nil if nothing fills it yet.
    subscript(text: String) -> ExportColumn? {
        columns.first { $0.text == text && !$0.isEmpty }
    }

    /// Adds a column, by what a mapping calls it.
    mutating func add(
        _ text: String, _ content: FetchedProperty.Content, _ style: ValueStyle = ValueStyle(), form: ValueForm = .text,
        isList: Bool = false
    ) {
        guard let path = path(text, isList: isList) else { return }
        var column = ExportColumn(path: path.steps, content, style, text: text)
        column.style.elementKey = path.elementKey
        if let known = columns.firstIndex(where: { $0.path == path.steps }) {
            // Where one of two is NULL the import would take the other one: the trial finds out.
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

    /// Adds columns of which an import takes the first with a value: the others have none.
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
        // An attribute of XML has nothing in it, and a value of JSON no text beside it.
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

    /// Whether a value would have another one in it, or be a list and an object; the text of an XML element may stand
    /// beside attributes.
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

    /// Paths with equal beginnings side by side, in the order of their first; places in an array in theirs.
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

/// An attribute whose columns are found when all others are known.
struct DeferredAttribute {
    let mapped: AttributeMapping
    let attribute: FetchedProperty.Content
    let form: ValueForm
    let style: ValueStyle
    let place: String
}
