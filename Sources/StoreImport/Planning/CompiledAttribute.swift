import ManagedObjectModels
import ObjectValidation
import RecordConversion
import RecordSources
import SQLiteAccess

/// The compiled mapping of an attribute.
struct CompiledAttribute {
    let attribute: ResolvedAttribute
    let column: String
    let origin: CompiledOrigin
    let conversion: ValueConversion
    let check: AttributeRules
    /// The text that replaces an absent value; nil to use `modelDefault`.
    let defaultText: [UInt8]?
    /// The model's default value as it is stored, including a tag byte; nil if there is none.
    let modelDefault: ConvertedDefault?
    /// The name of the value in the source, for messages.
    let sourceName: String
    /// The conversion by a value transformer; nil for all other attributes.
    let archive: CompiledArchive?
    /// Whether the stored value has the tag byte of external binary data.
    let isExternal: Bool

    /// How a value names a file that is read when its object is written; nil if values are not files, or if rules need
    /// their contents.
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
    /// - Parameter explanation: receives the message of a value transformer that does not accept the value.
    /// - Throws: `ConversionFailure` for a value that does not fit the attribute.
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

    /// Whether a new object cannot be created without the value.
    var isNeeded: Bool { defaultText == nil && modelDefault == nil && !check.isOptional }

    /// Whether an object is valid without the value.
    var mayStayNull: Bool { defaultText == nil && modelDefault == nil && check.isOptional }
}

/// A model's default value in the form in which it is bound.
enum ConvertedDefault {
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])
}
