import FoundationEssentials

/// What a shard is, and what it found: the last block of its spool.
struct SpoolEnding: Codable {
    let shard: ImportShard
    let records: Int64
    /// By the index of the mapping, what is said where no file of it has records.
    let missingElements: [Int: String]
    /// Of the sources whose keys the shard has written.
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
