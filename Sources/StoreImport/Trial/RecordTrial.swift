public import ImportMappings
public import PersistentStores
public import RecordConversion
import RecordSources
public import SQLiteAccess
public import ValueTransformers

/// A test of how an import would convert a record, before the record is written.
///
/// Records are given one after the other, with their values as texts by column; relationships are ignored.
public struct RecordTrial {
    /// A value in the file.
    public enum Value: Sendable, Hashable {
        /// There is no such element or key.
        case missing
        /// JSON's null, or an empty field of a CSV file.
        case null
        /// A text that may be a token for NULL: in XML, or in CSV without quotes.
        case unquoted([UInt8])
        /// A text that is never a token for NULL: in JSON, or in CSV with quotes.
        case quoted([UInt8])
        /// A JSON number, as it is written.
        case number([UInt8])
        /// JSON's `true` or `false`.
        case boolean(Bool)
    }

    /// The result of importing a record.
    public enum Outcome: Sendable, Hashable {
        /// The stored values of the mapping's attributes, in its order.
        case values([SQLiteValue])
        /// The filter excludes the record.
        case filtered
        /// The record is rejected; with a sentence.
        case refused(String)
    }

    private let converter: RecordConverter
    private var work: ConvertedBatch
    private let required: [String]

    /// Compiles a single object mapping, as if each record belonged to it alone.
    ///
    /// - Parameters:
    ///   - object: the object mapping.
    ///   - filter: the filter that records must satisfy.
    ///   - settings: the settings for values, which attributes may override.
    ///   - columns: the names of the values in the mapping, in the order in which they will be given.
    ///   - layout: the tables and columns of the store, and its model.
    ///   - folder: the folder of the source, which contains files of binary data.
    ///   - transformers: the value transformers for transformable attributes.
    /// - Throws: `ImportPlanError` if the mapping is invalid.
    public init(
        _ object: ObjectMapping, filter: RecordFilter?, settings: ConversionSettings, columns: [String],
        layout: StoreLayout, folder: String = ".", transformers: ValueTransformerRegistry = ValueTransformerRegistry()
    ) throws(ImportPlanError) {
        var object = object
        (object.parent, object.records, object.filter, object.relationships) = (nil, nil, nil, [])
        object.key = []
        let source = SourceMapping(
            name: "", settings: settings, filter: filter, objects: object.attributes.isEmpty ? [] : [object])
        let mapping = ImportMapping(sources: [source])
        var compiler = ImportCompiler(layout: layout, mapping: mapping, now: ReferenceDate.now)
        compiler.transformers = transformers
        var fields = FieldCatalog(columns: columns)
        try compiler.add(source, path: folder + "/records", fields: &fields)
        converter = RecordConverter(source: compiler.compiled.sources[0])
        work = ConvertedBatch(for: converter.source, limits: RecordBatch.Limits())
        required = object.attributes.map(\.attribute)
    }

    /// Returns the result of importing a record with these values.
    public mutating func outcome(of values: [Value]) -> Outcome {
        work.batch.removeAll()
        let first = work.batch.fieldCount
        for value in values { append(value) }
        work.batch.appendEntry(
            RecordEntry(
                firstField: first, fieldCount: values.count, arenaStart: 0, arenaLength: 0, line: 1, sourceOffset: 0))
        converter.convert(&work)
        if let refusal = work.refusals.first?.reason {
            return .refused((refusal.property.map { $0 + ": " } ?? "") + refusal.message)
        }
        if work.filtered > 0 { return .filtered }
        guard let made = work.instances.first else { return .values([]) }
        if made.unfilled[0] >= 0 { return .refused("\(required[Int(made.unfilled[0])]) is required") }
        var stored = made.cells[..<made.attributeCount].map { $0.sqliteValue(in: work.batch.arena) }
        do throws(ConversionFailure) {
            for (place, file) in made.files where place < stored.count {
                stored[place] = .blob(
                    try file.storedContent(isExternal: converter.source.objects[0].attributes[place].isExternal))
            }
        } catch {
            return .refused(error.sentence)
        }
        return .values(stored)
    }

    private mutating func append(_ value: Value) {
        func field(_ kind: RecordField.Kind, _ bytes: [UInt8]) -> RecordField {
            RecordField(kind, start: work.batch.appendValue(bytes), length: bytes.count)
        }
        switch value {
        case .missing: work.batch.appendField(.missing)
        case .null: work.batch.appendField(.null)
        case .unquoted(let bytes): work.batch.appendField(field(.text, bytes))
        case .quoted(let bytes): work.batch.appendField(field(.quoted, bytes))
        case .number(let bytes): work.batch.appendField(field(.number, bytes))
        case .boolean(let flag): work.batch.appendField(field(.boolean, Array((flag ? "true" : "false").utf8)))
        }
    }
}
