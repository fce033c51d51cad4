public import ManagedObjectModels

/// A Swift type for the values of attributes.
public protocol AttributeRepresentable {
    /// Makes a value from that of an attribute; nil for a value of another type.
    init?(_ value: AttributeValue)

    /// The value in the form of an attribute.
    var attributeValue: AttributeValue { get }
}

extension AttributeRepresentable where Self: FixedWidthInteger {
    /// Makes a number from that of an integer attribute; nil for a value of another type, or out of range.
    @inlinable
    public init?(_ value: AttributeValue) {
        guard case .integer(let number) = value else { return nil }
        self.init(exactly: number)
    }

    /// The number as the value of an attribute of an integer type, `Int64.max` if it is larger.
    @inlinable
    public var attributeValue: AttributeValue { .integer(Int64(clamping: self)) }
}

extension Int: AttributeRepresentable {}
extension Int16: AttributeRepresentable {}
extension Int32: AttributeRepresentable {}
extension Int64: AttributeRepresentable {}

extension Bool: AttributeRepresentable {
    /// Makes a Boolean from that of a Boolean attribute, or from a number: false for 0, otherwise true.
    @inlinable
    public init?(_ value: AttributeValue) {
        switch value {
        case .boolean(let flag): self = flag
        case .integer(let number): self = number != 0
        default: return nil
        }
    }

    /// The Boolean as the value of an attribute of type Boolean.
    @inlinable
    public var attributeValue: AttributeValue { .boolean(self) }
}

extension Double: AttributeRepresentable {
    /// Makes a number from the value of an attribute of type Double or Float; nil for a value of another type.
    @inlinable
    public init?(_ value: AttributeValue) {
        guard case .real(let number) = value else { return nil }
        self = number
    }

    /// The number as the value of an attribute of type Double.
    @inlinable
    public var attributeValue: AttributeValue { .real(self) }
}

extension Float: AttributeRepresentable {
    /// Makes a number from the value of an attribute of type Double or Float, rounded; nil for a value of another type.
    @inlinable
    public init?(_ value: AttributeValue) {
        guard case .real(let number) = value else { return nil }
        self = Float(number)
    }

    /// The number as the value of an attribute of type Float.
    @inlinable
    public var attributeValue: AttributeValue { .real(Double(self)) }
}

extension String: AttributeRepresentable {
    /// Makes a text from the value of an attribute of type String or URI; nil for a value of another type.
    @inlinable
    public init?(_ value: AttributeValue) {
        switch value {
        case .string(let text), .uri(let text): self = text
        default: return nil
        }
    }

    /// The text as the value of an attribute of type String.
    @inlinable
    public var attributeValue: AttributeValue { .string(self) }
}

extension [UInt8]: AttributeRepresentable {
    /// Makes bytes from the value of an attribute of type Binary; nil for a value of another type.
    @inlinable
    public init?(_ value: AttributeValue) {
        guard case .binary(let bytes) = value else { return nil }
        self = bytes
    }

    /// The bytes as the value of an attribute of type Binary.
    @inlinable
    public var attributeValue: AttributeValue { .binary(self) }
}

/// An enumeration whose raw values are values of an attribute.
extension RawRepresentable where Self: AttributeRepresentable, RawValue: AttributeRepresentable {
    /// Makes the case of a raw value; nil if there is no such case.
    @inlinable
    public init?(_ value: AttributeValue) {
        guard let raw = RawValue(value) else { return nil }
        self.init(rawValue: raw)
    }

    /// The raw value in the form of an attribute.
    @inlinable
    public var attributeValue: AttributeValue { rawValue.attributeValue }
}
