import ManagedObjectModels
import ObjectValidation
import RecordConversion
import RecordSources
import SQLiteAccess

/// An attribute's mapping made ready.
struct CompiledAttribute {
    let attribute: ResolvedAttribute
    let column: String
    let origin: CompiledOrigin
    let conversion: ValueConversion
    let check: AttributeRules
    /// The text that stands in for no value; nil to use `modelDefault`.
    let defaultText: [UInt8]?
    /// The model's default as it is stored, tag byte included; nil if there is none.
    let modelDefault: ConvertedDefault?
    /// What the source calls the value, for messages.
    let sourceName: String
    /// How values become bytes by a value transformer; nil for all other attributes.
    let archive: CompiledArchive?
    /// Whether the value carries the tag byte of external binary data.
    let isExternal: Bool

    /// How a value names a file that is read when its object is written; nil if values are not files, or where rules
    /// look into them.
    var fileNaming: (conversion: ValueConversion, folder: BinaryFolder)? {
        guard conversion.target == .binary, case .file(let folder) = conversion.binary, !check.hasRules,
            defaultText == nil
        else { return nil }
        var naming = conversion
        naming.target = .string
        return (naming, folder)
    }

    /// Converts a value, or a text of the mapping.
    ///
    /// - Parameter explanation: gets what a value transformer says of a value that it does not take.
    /// - Throws: `ConversionFailure` for a value that is not what the attribute needs.
    func value(
        of field: RecordField, isText: Bool = false, in batch: inout RecordBatch, _ explanation: inout String?
    ) throws(ConversionFailure) -> ConvertedValue {
        guard let archive else { return try conversion.convert(field, in: &batch) }
        do {
            return try archive.bytes(of: field, isText: isText, in: &batch).map { .blob(batch.appendRange($0)) }
                ?? .null
        } catch let error as ConversionFailure {
            throw error
        } catch {
            explanation = "\(error)"
            throw ConversionFailure(.notArchivable)
        }
    }

    /// Whether a new object cannot be made without the value.
    var isNeeded: Bool { defaultText == nil && modelDefault == nil && !check.isOptional }

    /// Whether an object is whole without the value.
    var mayStayNull: Bool { defaultText == nil && modelDefault == nil && check.isOptional }
}

/// A model default as it is bound.
enum ConvertedDefault {
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])
}
