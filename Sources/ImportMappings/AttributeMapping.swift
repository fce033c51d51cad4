public import RecordConversion

/// Where an attribute's value comes from, and how it is written there.
public struct AttributeMapping: Hashable, Sendable, Codable {
    /// The attribute's name.
    public var attribute: String
    /// Where the value comes from.
    public var value: ValueOrigin
    /// How the value is written in the source.
    public var conversion: ConversionSettings

    /// The value where the record has none, as text in the same form; nil for the model's default.
    public var defaultValue: String?

    /// Whether the attribute stays NULL where the record has no value, whatever the model's default is.
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
