/// How much a context takes at once; what it does does not depend on it.
public struct ContextLimits: Sendable {
    /// The rows of one block: they are read together, and stay in memory until the last of their objects goes.
    public var rowsPerBlock = 256

    /// The keys in one statement that reads rows by their keys.
    public var keysPerStatement = 200

    /// The statements that are kept ready for each store.
    public var statements = 200

    /// How often hooks may change objects again before a save gives up.
    public var hookRounds = 100

    public init() {}
}
