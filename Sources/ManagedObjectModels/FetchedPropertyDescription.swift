/// A property whose value is the result of a fetch; nothing of it is stored.
public struct FetchedPropertyDescription: Sendable, Hashable {
    /// The property's name, which is unique in its entity.
    public var name: String
    /// The request whose results are the property's value.
    public var fetchRequest: FetchRequestTemplate
    /// Whether the results may be empty; Xcode writes it, and nothing checks it.
    public var isOptional: Bool
    /// False where a source model says `syncable="NO"`.
    public var isSyncable: Bool
    /// Free keys and values.
    public var userInfo: [String: String]

    /// Makes a fetched property of the request that it runs.
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
