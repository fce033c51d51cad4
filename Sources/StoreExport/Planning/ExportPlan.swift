public import PredicateExpressions
public import StoreFetching

/// The files that an export writes.
public struct ExportPlan: Sendable {
    public var files: [ExportFile] = []
    /// What the files do not hold, or a mapping does not bring back.
    public var notes: [ExportProblem] = []

    public init(files: [ExportFile] = []) {
        self.files = files
    }
}

/// The records of one entity's objects.
public struct ExportFile: Sendable {
    /// The name in a folder of exports.
    public var name: String
    public var entity: String
    public var format: ExportFormat
    public var columns: [ExportColumn]
    /// Related objects inside the records.
    public var parts: [ExportPart] = []
    public var dialect = CSVWriter.Dialect()
    public var elements: XMLWriter.Elements
    /// JSON: the keys of the objects around the array of records.
    public var recordPath: [String] = []

    /// - Parameter elements: XML: the names around the values; made of the entity's name without them.
    public init(
        name: String, entity: String, format: ExportFormat, columns: [ExportColumn], elements: XMLWriter.Elements? = nil
    ) {
        self.name = name
        self.entity = entity
        self.format = format
        self.columns = columns
        self.elements = elements ?? XMLWriter.Elements(around: [entity + "List"], record: entity)
    }
}

/// A column of a file, or a value of a record.
public struct ExportColumn: Sendable, Hashable {
    /// Its name; in nested records the path.
    public var path: [String]
    /// What of an object it holds.
    public var value: Expression
    public var style: ValueStyle

    public init(path: [String], value: Expression, style: ValueStyle = ValueStyle()) {
        self.path = path
        self.value = value
        self.style = style
    }
}
