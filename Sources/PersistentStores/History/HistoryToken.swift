/// How far a reader of a store's persistent history has come: the store, and the number of the last transaction that it
/// has read.
public struct HistoryToken: Sendable, Hashable, CustomStringConvertible {
    public let storeUUID: String

    /// 0 for a reader that has read nothing.
    public let transaction: Int64

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
