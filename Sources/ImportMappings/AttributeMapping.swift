public import RecordConversion

/// The origin of an attribute's value, and its format in the source.
public struct AttributeMapping: Hashable, Sendable, Codable {
    /// The attribute's name.
    public var attribute: String
    /// The origin of the value.
    public var value: ValueOrigin
    /// The format of the value in the source.
    public var conversion: ConversionSettings

    /// The value for records that have none, as text in the same format; nil for the model's default.
    public var defaultValue: String?

    /// Whether the attribute stays NULL for records without a value, regardless of the model's default.
    public var keepsNull = false

    /// Makes the mapping of an attribute.
    public init(
        attribute: String, value: ValueOrigin, conversion: ConversionSettings = ConversionSettings(),
        defaultValue: String? = nil
    ) {
        self.attribute = attribute
        self.value = value
        self.conversion = conversion
        self.defaultValue = defaultValue
    }
}
