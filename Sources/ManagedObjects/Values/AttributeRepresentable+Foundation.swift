public import FoundationEssentials
public import KeyedArchives
public import ManagedObjectModels

extension Date: AttributeRepresentable {
    public init?(_ value: AttributeValue) {
        guard case .date(let seconds) = value else { return nil }
        self.init(timeIntervalSinceReferenceDate: seconds)
    }

    public var attributeValue: AttributeValue { .date(timeIntervalSinceReferenceDate) }
}

extension Data: AttributeRepresentable {
    public init?(_ value: AttributeValue) {
        guard case .binary(let bytes) = value else { return nil }
        self.init(bytes)
    }

    public var attributeValue: AttributeValue { .binary(Array(self)) }
}

extension UUID: AttributeRepresentable {
    public init?(_ value: AttributeValue) {
        guard case .uuid(let b) = value, b.count == 16 else { return nil }
        self.init(
            uuid: (
                b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]
            ))
    }

    public var attributeValue: AttributeValue { .uuid(withUnsafeBytes(of: uuid) { Array($0) }) }
}

extension URL: AttributeRepresentable {
    public init?(_ value: AttributeValue) {
        guard case .uri(let text) = value else { return nil }
        self.init(string: text)
    }

    public var attributeValue: AttributeValue { .uri(absoluteString) }
}

extension Decimal: AttributeRepresentable {
    public init?(_ value: AttributeValue) {
        guard case .decimal(let digits) = value else { return nil }
        self.init(string: digits)
    }

    public var attributeValue: AttributeValue { .decimal(description) }
}

extension DecimalNumber: AttributeRepresentable {
    public init?(_ value: AttributeValue) {
        guard case .decimal(let digits) = value else { return nil }
        self.init(digits)
    }

    public var attributeValue: AttributeValue { .decimal(description) }
}
