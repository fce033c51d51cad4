/// A position in a store's persistent history: the store, and the number of the last transaction that a reader has
/// read.
public struct HistoryToken: Sendable, Hashable, CustomStringConvertible {
    /// The UUID of the store whose history was read.
    public let storeUUID: String

    /// The number of the last transaction that was read; 0 for a reader that has read nothing.
    public let transaction: Int64

    /// Makes the token for a store and the number of a transaction.
    public init(storeUUID: String, transaction: Int64) {
        self.storeUUID = storeUUID
        self.transaction = transaction
    }

    /// Parses `UUID:NUMBER`; nil for any other text.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), colon > text.startIndex,
            let number = Int64(text[text.index(after: colon)...]), number >= 0
        else { return nil }
        self.init(storeUUID: String(text[..<colon]), transaction: number)
    }

    public var description: String { "\(storeUUID):\(transaction)" }
}
