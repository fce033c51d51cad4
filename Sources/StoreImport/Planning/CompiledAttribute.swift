import ManagedObjectModels
import ObjectValidation
import RecordConversion

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
