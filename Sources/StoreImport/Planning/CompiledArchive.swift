import KeyedArchives
import ManagedObjectModels
import RecordConversion
import RecordSources
import SQLiteAccess
import ValueTransformers

/// The conversion of a source's values to the stored values of a transformable attribute.
///
/// This is a class because attributes are copied, and only few have a conversion of this kind.
final class CompiledArchive {
    let form: ArchiveForm
    /// The conversion of the source's texts or dates.
    let reading: ValueConversion
    /// Whether a text in quotes is a value, as in JSON, instead of containing JSON.
    let isTyped: Bool
    let transformers: ValueTransformerRegistry
    let attribute: AttributeDescription
    let entityName: String
    private let expectation: String

    /// - Parameter isNested: whether the values come from nested records.
    init?(
        _ conversion: ValueConversion, _ attribute: ResolvedAttribute, of entityName: String, isNested: Bool,
        _ transformers: ValueTransformerRegistry
    ) {
        guard conversion.target == .binary, case .archive(let form) = conversion.binary else { return nil }
        self.form = form
        self.transformers = transformers
        self.entityName = entityName
        expectation = conversion.expectation
        isTyped = isNested
        self.attribute = attribute.description
        var reading = conversion
        reading.target = form == .date ? .date : .string
        self.reading = reading
    }

    /// Returns the bytes for a value of a record; nil if it is absent.
    ///
    /// - Parameter isText: whether it is a text of the mapping, which contains JSON in all formats.
    /// - Throws: `ConversionFailure` for a value that cannot be read, `ValueTransformerError` and the errors of a
    ///   transformer for a value that cannot be converted to bytes.
    func bytes(of field: RecordField, isText: Bool, in batch: inout RecordBatch) throws -> [UInt8]? {
        guard let value = try value(of: field, isTyped: isTyped && !isText, in: &batch) else { return nil }
        guard value == .null || isKind(value) else { throw ValueTransformerError("expected \(expectation)") }
        return try transformers.bytes(of: value, for: attribute, of: entityName)
    }

    private func isKind(_ value: PropertyListValue) -> Bool {
        switch (form, value) {
        case (.array, .array), (.dictionary, .dictionary), (.number, .integer), (.number, .real),
            (.number, .wideInteger), (.json, _), (.string, .string), (.date, .date):
            true
        default: false
        }
    }

    private func value(
        of field: RecordField, isTyped: Bool, in batch: inout RecordBatch
    ) throws -> PropertyListValue? {
        switch field.kind {
        case .date where form != .string: return .date(batch.real(of: field))
        case .blob where isTyped: return .data(Array(batch.bytes(of: field)))
        case .node:
            guard batch.isContainer(field) else { throw ConversionFailure(.notASingleValue) }
            var text: [UInt8] = []
            batch.append(nodeAt: field.start, asJSONTo: &text)
            return try json(text)
        case .quoted where isTyped && form != .date: return .string(batch.text(of: field))
        default: break
        }
        let converted = try reading.convert(field, in: &batch)
        switch converted {
        case .real(let seconds): return .date(seconds)
        case .text(let range):
            let bytes = Array(batch.arena[range.range])
            return form == .string ? .string(String(decoding: bytes, as: UTF8.self)) : try json(bytes)
        default: return nil
        }
    }

    private func json(_ text: [UInt8]) throws(ValueTransformerError) -> PropertyListValue {
        try ValueTransformerRegistry.value(ofJSON: text)
    }
}
