public import PredicateExpressions
public import StoreFetching
public import ValueTransformers

/// The files that an export writes.
public struct ExportPlan: Sendable {
    /// The files, in the order in which they are written.
    public var files: [ExportFile] = []
    /// What the files do not hold, or a mapping does not bring back.
    public var notes: [ExportProblem] = []

    /// Makes a plan of files that are described one by one.
    public init(files: [ExportFile] = []) {
        self.files = files
    }

    /// Whether files name others, with binary data, which must lie beside them.
    public var hasBinaryFiles: Bool { files.contains { $0.binaryFiles?.isUsed ?? false } }

    /// Takes away the files of binary data that a failed export has written.
    public func discardBinaryFiles() {
        for file in files { file.binaryFiles?.discard() }
    }
}

/// The records of one entity's objects.
public struct ExportFile: Sendable {
    /// The name in a folder of exports.
    public var name: String
    /// The name of the entity whose objects are written; those of its subentities are among them.
    public var entity: String
    /// The format of the records.
    public var format: ExportFormat
    /// What is written of each object, in the order of the columns.
    public var columns: [ExportColumn]
    /// A to-many relationship that gives a record for each pair of an object and a related one; nil for a record for
    /// each object.
    public var unwoundRelationship: String?
    /// Related objects inside the records.
    public var parts: [ExportPart] = []
    /// CSV: the separator, the quotation mark and the header.
    public var dialect = CSVWriter.Dialect()
    /// XML: the names of the elements around the values.
    public var elements: XMLWriter.Elements
    /// JSON: the keys of the objects around the array of records.
    public var recordPath: [String] = []
    /// Further records of the same file, of other entities.
    public var sections: [ExportFile] = []
    /// Takes the data that columns name as files.
    var binaryFiles: BinaryFiles?
    /// What the file's objects must satisfy, because others come with the records of their owners.
    var restrictions: [Predicate] = []
    /// What makes JSON of transformable attributes in columns that are chosen by hand; nil for their bytes.
    public var transformers: ValueTransformerRegistry?
    /// Whether the mapping finds its objects by a key.
    var isKeyed = true
    /// Whether the records only add to objects that another file makes.
    var isAddition = false
    /// What is tried out of each record before it is written; nil if nothing needs to be.
    var trial: ExportTrial?

    /// Makes a file of an entity's objects.
    /// - Parameters:
    ///   - name: the file's name in a folder of exports.
    ///   - entity: the name of the entity.
    ///   - format: the format of the records.
    ///   - columns: what is written of each object.
    ///   - elements: XML: the names around the values; made of the entity's name without them.
    public init(
        name: String, entity: String, format: ExportFormat, columns: [ExportColumn], elements: XMLWriter.Elements? = nil
    ) {
        self.name = name
        self.entity = entity
        self.format = format
        self.columns = columns
        self.elements = elements ?? XMLWriter.Elements(around: [entity + "List"], record: entity)
    }

    /// The file with the records of some entities only; nil without any.
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
    /// Where it lies in a record: its name, or a path of JSON and XML.
    public var path: [RecordStep]
    /// What of an object it holds.
    public var content: FetchedProperty.Content
    /// How values are written: dates, numbers, truth values, binary data.
    public var style: ValueStyle
    /// What a mapping calls it.
    var text: String

    /// Makes a column of the value that an expression has for each object.
    public init(path: [String], value: Expression, style: ValueStyle = ValueStyle()) {
        self.init(path: path.map { .name($0) }, .expression(value), style, text: path.joined(separator: "."))
    }

    init(path: [RecordStep], _ content: FetchedProperty.Content, _ style: ValueStyle = ValueStyle(), text: String) {
        self.path = path
        self.content = content
        self.style = style
        self.text = text
    }

    /// Whether nothing is ever in it.
    var isEmpty: Bool { content == .expression(.constant(.null)) }

    /// What a header calls it.
    var name: String { path.map(\.description).joined(separator: ".") }

    var property: FetchedProperty { FetchedProperty(name: name, content) }
}
