import FoundationEssentials

/// The last block of a spool: the description of the shard, and its results.
struct SpoolEnding: Codable {
    let shard: ImportShard
    let records: Int64
    /// For each index of a mapping, the finding that is reported if no file of it has records.
    let missingElements: [Int: String]
    /// The keys of the sources whose hashes the shard has written.
    let keys: [SpooledKeys]

    func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return Array(try encoder.encode(self))
    }

    init(shard: ImportShard, records: Int64, missingElements: [Int: String], keys: [SpooledKeys]) {
        self.shard = shard
        self.records = records
        self.missingElements = missingElements
        self.keys = keys
    }

    init(decoding bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(SpoolEnding.self, from: Data(bytes))
        guard ImportShard(shard.number, of: shard.count) != nil else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: ""))
        }
    }
}
