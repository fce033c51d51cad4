/// One of the equal parts into which the sources of an import are divided: the shard `number` of `count`, counted from
/// 1.
public struct ImportShard: Hashable, Sendable, Codable {
    /// The number of the shard, from 1.
    public let number: Int
    /// The number of shards.
    public let count: Int

    /// The largest number of shards. `assemble` opens one shard at a time.
    public static let largestCount = 1_000_000

    /// Creates a shard; nil unless 1 <= number <= count <= `largestCount`.
    public init?(_ number: Int, of count: Int) {
        guard number >= 1, number <= count, count <= Self.largestCount else { return nil }
        self.number = number
        self.count = count
    }

    /// Returns the bytes that belong to this shard, out of a total number.
    func share(of total: Int) -> Range<Int> {
        boundary(number - 1, of: total)..<boundary(number, of: total)
    }

    private func boundary(_ index: Int, of total: Int) -> Int {
        // The product has twice the number of bits.
        let product = total.multipliedFullWidth(by: index)
        return count.dividingFullWidth(product).quotient
    }

    /// The file name of its spool.
    var fileName: String { "shard-\(number)-of-\(count).\(Self.fileExtension)" }

    /// The file name extension of spools.
    static let fileExtension = "ferryspool"
}

extension ImportShard: CustomStringConvertible {
    public var description: String { "\(number)/\(count)" }
}
