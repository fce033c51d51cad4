import RecordSources

/// Hashes in a temporary file that has no name: runs of equal length, each in the order of the hashes' first bits.
final class HashRuns {
    /// The first bits of a hash say in which part of a run it is.
    private let bucketBits: Int
    private var bucketCount: Int { 1 << bucketBits }

    private let file: TemporaryBytes
    /// Where each run begins, and where its hashes do: behind the places of its buckets.
    private var places: [(start: Int, hashes: Int)] = []
    private var end = 0

    /// nil if no file can be made.
    init?(bucketBits: Int) {
        self.bucketBits = bucketBits
        guard let file = TemporaryBytes() else { return nil }
        self.file = file
    }

    /// Adds a run; false if it cannot be written.
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

    /// Whether a hash is in one of the runs; true if that cannot be read.
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

    /// All hashes; false if they cannot be read.
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
