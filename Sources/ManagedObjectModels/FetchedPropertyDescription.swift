/// A property whose value is the result of a fetch; nothing of it is stored.
public struct FetchedPropertyDescription: Sendable, Hashable {
    public var name: String
    public var fetchRequest: FetchRequestTemplate
    public var isOptional: Bool
    public var isSyncable: Bool
    public var userInfo: [String: String]

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
