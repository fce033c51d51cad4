import RecordSources

/// Hashes in an unnamed temporary file: runs of equal length, each sorted by the first bits of the hashes.
final class HashRuns {
    /// The number of first bits of a hash that select the bucket of a run.
    private let bucketBits: Int
    private var bucketCount: Int { 1 << bucketBits }

    private let file: TemporaryBytes
    /// For each run, its offset, and the offset of its hashes, which follow the offsets of its buckets.
    private var places: [(start: Int, hashes: Int)] = []
    private var end = 0

    /// Returns nil if no file can be created.
    init?(bucketBits: Int) {
        self.bucketBits = bucketBits
        guard let file = TemporaryBytes() else { return nil }
        self.file = file
    }

    /// Adds a run; returns false if it cannot be written.
    func append(_ hashes: [UInt64]) -> Bool {
        var starts = [UInt32](repeating: 0, count: bucketCount + 1)
        for hash in hashes { starts[bucket(hash) + 1] += 1 }
        for bucket in 1...bucketCount { starts[bucket] += starts[bucket - 1] }
        var next = starts
        var sorted = [UInt64](repeating: 0, count: hashes.count)
        for hash in hashes {
            let bucket = self.bucket(hash)
            sorted[Int(next[bucket])] = hash
            next[bucket] += 1
        }
        let place = (start: end, hashes: end + starts.count * 4)
        guard starts.withUnsafeBytes({ file.write($0, at: place.start) }),
            sorted.withUnsafeBytes({ file.write($0, at: place.hashes) })
        else { return false }
        places.append(place)
        end = place.hashes + sorted.count * 8
        return true
    }

    /// Returns whether a hash is in one of the runs; also returns true if they cannot be read.
    func contains(_ hash: UInt64) -> Bool {
        let bucket = self.bucket(hash)
        var bounds: [UInt32] = [0, 0]
        for place in places {
            guard bounds.withUnsafeMutableBytes({ file.read(into: $0, at: place.start + bucket * 4) }),
                bounds[0] <= bounds[1]
            else { return true }
            var hashes = [UInt64](repeating: 0, count: Int(bounds[1] - bounds[0]))
            guard hashes.withUnsafeMutableBytes({ file.read(into: $0, at: place.hashes + Int(bounds[0]) * 8) }) else {
                return true
            }
            if hashes.contains(hash) { return true }
        }
        return false
    }

    /// Calls a closure with all hashes; returns false if they cannot be read.
    func forEach(_ body: (UInt64) -> Void) -> Bool {
        for (index, place) in places.enumerated() {
            let next = index + 1 < places.count ? places[index + 1].start : end
            var hashes = [UInt64](repeating: 0, count: (next - place.hashes) / 8)
            guard hashes.withUnsafeMutableBytes({ file.read(into: $0, at: place.hashes) }) else { return false }
            hashes.forEach(body)
        }
        return true
    }

    private func bucket(_ hash: UInt64) -> Int { Int(hash >> UInt64(64 - bucketBits)) }
}
