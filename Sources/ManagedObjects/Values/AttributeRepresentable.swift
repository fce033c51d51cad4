public import ManagedObjectModels

/// A Swift type whose values are those of attributes.
public protocol AttributeRepresentable {
    /// nil for a value of another type.
    init?(_ value: AttributeValue)

    var attributeValue: AttributeValue { get }
}

extension AttributeRepresentable where Self: FixedWidthInteger {
    public init?(_ value: AttributeValue) {
        guard case .integer(let number) = value else { return nil }
        self.init(exactly: number)
    }

    public var attributeValue: AttributeValue { .integer(Int64(clamping: self)) }
}

extension Int: AttributeRepresentable {}
extension Int16: AttributeRepresentable {}
extension Int32: AttributeRepresentable {}
extension Int64: AttributeRepresentable {}

extension Bool: AttributeRepresentable {
    public init?(_ value: AttributeValue) {
        switch value {
        case .boolean(let flag): self = flag
        case .integer(let number): self = number != 0
        default: return nil
        }
    }

    public var attributeValue: AttributeValue { .boolean(self) }
}

extension Double: AttributeRepresentable {
    public init?(_ value: AttributeValue) {
        guard case .real(let number) = value else { return nil }
        self = number
    }

    public var attributeValue: AttributeValue { .real(self) }
}

extension Float: AttributeRepresentable {
    public init?(_ value: AttributeValue) {
        guard case .real(let number) = value else { return nil }
        self = Float(number)
    }

    public var attributeValue: AttributeValue { .real(Double(self)) }
}

extension String: AttributeRepresentable {
    public init?(_ value: AttributeValue) {
        switch value {
        case .string(let text), .uri(let text): self = text
        default: return nil
        }
    }

    public var attributeValue: AttributeValue { .string(self) }
}

extension [UInt8]: AttributeRepresentable {
    public init?(_ value: AttributeValue) {
        guard case .binary(let bytes) = value else { return nil }
        self = bytes
    }

    public var attributeValue: AttributeValue { .binary(self) }
}

/// An enumeration over the values of an attribute.
extension RawRepresentable where Self: AttributeRepresentable, RawValue: AttributeRepresentable {
    public init?(_ value: AttributeValue) {
        guard let raw = RawValue(value) else { return nil }
        self.init(rawValue: raw)
    }

    public var attributeValue: AttributeValue { rawValue.attributeValue }
}
