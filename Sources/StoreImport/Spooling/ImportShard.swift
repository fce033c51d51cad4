/// One of the equal parts of an import's sources: the shard `number` of `count`, counted from 1.
public struct ImportShard: Hashable, Sendable, Codable {
    /// The number of the shard, from 1.
    public let number: Int
    /// The number of shards.
    public let count: Int

    /// The most shards of an import: what `assemble` opens at a time is one of them.
    public static let largestCount = 1_000_000

    /// Makes a shard; nil unless 1 <= number <= count <= `largestCount`.
    public init?(_ number: Int, of count: Int) {
        guard number >= 1, number <= count, count <= Self.largestCount else { return nil }
        self.number = number
        self.count = count
    }

    /// The bytes that are its own, of so many.
    func share(of total: Int) -> Range<Int> {
        boundary(number - 1, of: total)..<boundary(number, of: total)
    }

    private func boundary(_ index: Int, of total: Int) -> Int {
        // The product has twice the bits.
        let product = total.multipliedFullWidth(by: index)
        return count.dividingFullWidth(product).quotient
    }

    /// The name of its spool in a folder.
    var fileName: String { "shard-\(number)-of-\(count).\(Self.fileExtension)" }

    /// What the names of spools end with.
    static let fileExtension = "ferryspool"
}

extension ImportShard: CustomStringConvertible {
    public var description: String { "\(number)/\(count)" }
}
