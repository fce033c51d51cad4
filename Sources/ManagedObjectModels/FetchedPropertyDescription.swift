/// A property whose value is the result of a fetch and is never stored.
public struct FetchedPropertyDescription: Sendable, Hashable {
    /// The property's name, which is unique in its entity.
    public var name: String
    /// The request whose results are the property's value.
    public var fetchRequest: FetchRequestTemplate
    /// Whether the results may be empty; Xcode writes this flag, but it is never checked.
    public var isOptional: Bool
    /// False if a source model has `syncable="NO"`.
    public var isSyncable: Bool
    /// Arbitrary keys and values.
    public var userInfo: [String: String]

    /// Makes a fetched property from the request that it executes.
    public init(
        name: String, fetchRequest: FetchRequestTemplate, isOptional: Bool = true, isSyncable: Bool = true,
        userInfo: [String: String] = [:]
    ) {
        self.name = name
        self.fetchRequest = fetchRequest
        self.isOptional = isOptional
        self.isSyncable = isSyncable
        self.userInfo = userInfo
    }
}
