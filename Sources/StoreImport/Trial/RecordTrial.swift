public import ImportMappings
public import PersistentStores
public import RecordConversion
import RecordSources
public import SQLiteAccess
public import ValueTransformers

/// Tries out what an import makes of a record before somebody writes it.
///
/// One record after the other, its values as texts by column; relationships are left out.
public struct RecordTrial {
    /// A value as the file has it.
    public enum Value: Sendable, Hashable {
        /// There is no such element or key.
        case missing
        /// JSON's null, or nothing between the separators of CSV.
        case null
        /// A text that may be a word for NULL: of XML, and of CSV without quotes.
        case unquoted([UInt8])
        /// A text that is never a word for NULL: of JSON, and of CSV in quotes.
        case quoted([UInt8])
        /// JSON's number, as it is written.
        case number([UInt8])
        /// JSON's `true` or `false`.
        case boolean(Bool)
    }

    /// What an import makes of a record.
    public enum Outcome: Sendable, Hashable {
        /// The values of the mapping's attributes, in its order, as a store has them.
        case values([SQLiteValue])
        /// The filter leaves the record out.
        case filtered
        /// The record is rejected: a sentence.
        case refused(String)
    }

    private let converter: RecordConverter
    private var work: ConvertedBatch
    private let required: [String]

    /// Compiles an object mapping by itself, as if the record were its own.
    ///
    /// - Parameters:
    ///   - object: the object mapping.
    ///   - filter: what records must satisfy.
    ///   - settings: what holds for values unless an attribute says otherwise.
    ///   - columns: what the mapping calls the values, in the order in which they will be given.
    ///   - layout: the tables and columns of the store, and its model.
    ///   - folder: of the source, where files of binary data lie.
    ///   - transformers: what makes the bytes of transformable attributes.
    /// - Throws: `ImportPlanError` where the mapping has no meaning.
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

    /// What an import makes of a record with these values.
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
