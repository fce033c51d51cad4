public import PredicateExpressions
public import StoreFetching
public import ValueTransformers

/// The files that an export writes.
public struct ExportPlan: Sendable {
    /// The files, in the order in which they are written.
    public var files: [ExportFile] = []
    /// Data that the files do not contain, or that the mapping does not import again.
    public var notes: [ExportProblem] = []

    /// Creates a plan from descriptions of its files.
    public init(files: [ExportFile] = []) {
        self.files = files
    }

    /// Whether the files name files of binary data, which are written beside them.
    public var hasBinaryFiles: Bool { files.contains { $0.binaryFiles?.isUsed ?? false } }

    /// Removes the files of binary data that a failed export has written.
    public func discardBinaryFiles() {
        for file in files { file.binaryFiles?.discard() }
    }
}

/// The records of an entity's objects.
public struct ExportFile: Sendable {
    /// The name in the folder of the export.
    public var name: String
    /// The entity whose objects are written, including those of its subentities.
    public var entity: String
    /// The format of the records.
    public var format: ExportFormat
    /// The columns of each object, in order.
    public var columns: [ExportColumn]
    /// A to-many relationship; the file has a record for each pair of an object and a related one. Nil for a record for
    /// each object.
    public var unwoundRelationship: String?
    /// The related objects inside the records.
    public var parts: [ExportPart] = []
    /// CSV: the separator, the quotation mark and the header.
    public var dialect = CSVWriter.Dialect()
    /// XML: the names of the elements around the values.
    public var elements: XMLWriter.Elements
    /// JSON: the keys of the objects around the array of records.
    public var recordPath: [String] = []
    /// Further records of other entities in the same file.
    public var sections: [ExportFile] = []
    /// Writes the data of columns that name files.
    var binaryFiles: BinaryFiles?
    /// Predicates that the file's objects must satisfy, because other objects are in the records of their owners.
    var restrictions: [Predicate] = []
    /// Converts transformable attributes to JSON in columns that are chosen individually; nil to write their bytes.
    public var transformers: ValueTransformerRegistry?
    /// Whether the mapping finds the objects by a key.
    var isKeyed = true
    /// Whether the records only add to objects from another file.
    var isAddition = false
    /// The trial of each record before it is written; nil if none is needed.
    var trial: ExportTrial?

    /// Creates a file of an entity's objects.
    /// - Parameters:
    ///   - name: the file's name in the folder of the export.
    ///   - entity: the name of the entity.
    ///   - format: the format of the records.
    ///   - columns: the columns of each object.
    ///   - elements: XML: the names of the elements around the values; nil to derive them from the entity's name.
    public init(
        name: String, entity: String, format: ExportFormat, columns: [ExportColumn], elements: XMLWriter.Elements? = nil
    ) {
        self.name = name
        self.entity = entity
        self.format = format
        self.columns = columns
        self.elements = elements ?? XMLWriter.Elements(around: [entity + "List"], record: entity)
    }

    /// Returns the file with only the records of some entities; nil if it has no such records.
    public func keeping(_ entities: [String]) -> ExportFile? {
        var kept = ([self] + sections).filter { entities.contains($0.entity) }
        guard !kept.isEmpty else { return nil }
        var file = kept.removeFirst()
        file.sections = kept
        return file
    }
}

/// A column of a file, or a value of a record.
public struct ExportColumn: Sendable, Hashable {
    /// The place in a record: its name, or a path in JSON and XML.
    public var path: [RecordStep]
    /// The part of an object that it contains.
    public var content: FetchedProperty.Content
    /// The style of values: dates, numbers, Booleans, binary data.
    public var style: ValueStyle
    /// The name in a mapping.
    var text: String

    /// Creates a column with the value of an expression for each object.
    public init(path: [String], value: Expression, style: ValueStyle = ValueStyle()) {
        self.init(path: path.map { .name($0) }, .expression(value), style, text: path.joined(separator: "."))
    }

    init(path: [RecordStep], _ content: FetchedProperty.Content, _ style: ValueStyle = ValueStyle(), text: String) {
        self.path = path
        self.content = content
        self.style = style
        self.text = text
    }

    /// Whether it is always empty.
    var isEmpty: Bool { content == .expression(.constant(.null)) }

    /// The name in a header.
    var name: String { path.map(\.description).joined(separator: ".") }

    var property: FetchedProperty { FetchedProperty(name: name, content) }
}
