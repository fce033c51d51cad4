public import FoundationEssentials
public import KeyedArchives
public import ManagedObjectModels

extension Date: AttributeRepresentable {
    /// Makes a date from the value of an attribute of type Date; nil for a value of another type.
    public init?(_ value: AttributeValue) {
        guard case .date(let seconds) = value else { return nil }
        self.init(timeIntervalSinceReferenceDate: seconds)
    }

    /// The date as the value of an attribute of type Date.
    public var attributeValue: AttributeValue { .date(timeIntervalSinceReferenceDate) }
}

extension Data: AttributeRepresentable {
    /// Makes data from the value of an attribute of type Binary; nil for a value of another type.
    public init?(_ value: AttributeValue) {
        guard case .binary(let bytes) = value else { return nil }
        self.init(bytes)
    }

    /// The data as the value of an attribute of type Binary.
    public var attributeValue: AttributeValue { .binary(Array(self)) }
}

extension UUID: AttributeRepresentable {
    /// Makes a UUID from the value of an attribute of type UUID; nil for a value of another type.
    public init?(_ value: AttributeValue) {
        guard case .uuid(let b) = value, b.count == 16 else { return nil }
        self.init(
            uuid: (
                b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]
            ))
    }

    /// The UUID as the value of an attribute of type UUID.
    public var attributeValue: AttributeValue { .uuid(withUnsafeBytes(of: uuid) { Array($0) }) }
}

extension URL: AttributeRepresentable {
    /// Makes a URL from the value of an attribute of type URI; nil for a value of another type, and for a text that is
    /// not a URL.
    public init?(_ value: AttributeValue) {
        guard case .uri(let text) = value else { return nil }
        self.init(string: text)
    }

    /// The URL as the value of an attribute of type URI.
    public var attributeValue: AttributeValue { .uri(absoluteString) }
}

extension Decimal: AttributeRepresentable {
    /// Makes a number from the value of an attribute of type Decimal; nil for a value of another type.
    public init?(_ value: AttributeValue) {
        guard case .decimal(let digits) = value else { return nil }
        self.init(string: digits)
    }

    /// The number as the value of an attribute of type Decimal.
    public var attributeValue: AttributeValue { .decimal(description) }
}

extension DecimalNumber: AttributeRepresentable {
    /// Makes a number from the value of an attribute of type Decimal; nil for a value of another type.
    public init?(_ value: AttributeValue) {
        guard case .decimal(let digits) = value else { return nil }
        self.init(digits)
    }

    /// The number as the value of an attribute of type Decimal.
    public var attributeValue: AttributeValue { .decimal(description) }
}
