internal import Threading

/// Sorted runs of integer entries that another thread merges some blocks ahead.
struct IntegerMergeAhead {
    private enum Outcome {
        case entries([IntegerEntry])
        case end
        case failure(BuildError)
    }

    private let exchange: BufferExchange<[IntegerEntry], Outcome>

    /// - Throws: `BuildError` if the system cannot start a thread.
    init(_ chains: [IntegerRunFile.Chain], _ file: OutputFile, _ limits: BuildLimits) throws(BuildError) {
        let exchange = BufferExchange<[IntegerEntry], Outcome>(
            [[IntegerEntry]](repeating: [], count: max(1, limits.circulatingBlocks)))
        self.exchange = exchange
        do throws(ThreadError) {
            try WorkerThread.start {
                do throws(BuildError) {
                    try Self.merge(chains, file, limits, to: exchange)
                } catch {
                    exchange.put(.failure(error))
                }
            }
        } catch {
            throw BuildError(.noThread(error), path: file.path)
        }
    }

    private static func merge(
        _ chains: [IntegerRunFile.Chain], _ file: OutputFile, _ limits: BuildLimits,
        to exchange: BufferExchange<[IntegerEntry], Outcome>
    ) throws(BuildError) {
        var merge = try IntegerMerge(chains[...], file, limits)
        while var entries = exchange.takeFree() {
            entries.removeAll(keepingCapacity: true)
            try merge.append(to: &entries, upTo: max(1, limits.mergedBlock))
            guard !entries.isEmpty else { return exchange.put(.end) }
            exchange.put(.entries(consume entries))
        }
    }

    /// Returns the next entries in a buffer that the caller must give back; nil after the last ones.
    func next() throws(BuildError) -> [IntegerEntry]? {
        switch exchange.next() {
        case .entries(let entries): return entries
        case .end: return nil
        case .failure(let error): throw error
        }
    }

    func giveBack(_ entries: consuming [IntegerEntry]) {
        exchange.giveBack(consume entries)
    }

    /// Makes the other thread end.
    func stop() {
        exchange.stop()
    }
}
