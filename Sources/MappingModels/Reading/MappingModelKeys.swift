/// The keys of mapping model files, each list in the order in which they are documented and written.
enum MappingModelKeys {
    static let file = ["mapping", "models", "entities"]
    static let models = ["source", "destination"]
    static let entity = [
        "name", "type", "source", "sourceHash", "destination", "destinationHash", "filter", "fetch", "policy", "key",
        "survivor", "userInfo", "attributes", "relationships",
    ]
    static let property = ["value", "keyPath", "mapping", "generated", "choose", "transforms", "userInfo"]
    static let transform = ["property", "value", "missingOnly"]

    /// The tag of a value that is left to the compiler.
    static let generatedTag = "!generated"

    /// The prefix of a hash's hexadecimal digits: since it begins with a letter, all YAML readers treat it as text.
    static let hashPrefix = "sha256-"
}
