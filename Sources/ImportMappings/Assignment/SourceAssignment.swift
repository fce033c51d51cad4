import CompressedStreams
public import RecordSources

/// The assignment of files to the sources of a mapping, in reading order.
public struct SourceAssignment: Equatable, Sendable {
    /// One source of the mapping applied to one file.
    public struct Reading: Equatable, Sendable {
        /// The index of the source in the mapping.
        public let source: Int
        /// The path of the file, `-` for standard input.
        public let path: String
        /// The format of the file.
        public let kind: SourceFormat.Kind

        /// Makes a reading of a file by a source, given by its index.
        public init(source: Int, path: String, kind: SourceFormat.Kind) {
            self.source = source
            self.path = path
            self.kind = kind
        }
    }

    /// The readings, by source in the order of the mapping, then by file in the given order.
    public let readings: [Reading]

    /// The sources without files, by index.
    public let unusedSources: [Int]

    /// Assigns files to sources.
    ///
    /// A file is assigned to all sources with a pattern that matches the end of its path; otherwise to those without a
    /// pattern that read its format.
    /// - Throws: `SourceAssignmentErrors` with every file that cannot be read or has no source.
    public init(paths: [String], mapping: ImportMapping) throws(SourceAssignmentErrors) {
        try self.init(paths: paths, mapping: mapping) { path throws(SourceError) in try SourceFormat.Kind(path: path) }
    }

    init(
        paths: [String], mapping: ImportMapping, kind: (String) throws(SourceError) -> SourceFormat.Kind
    ) throws(SourceAssignmentErrors) {
        var readings: [Reading] = []
        var errors: [SourceAssignmentError] = []
        var known = Set<String>()
        for path in paths {
            guard known.insert(path).inserted else {
                errors.append(SourceAssignmentError(.givenTwice, path: path))
                continue
            }
            do throws(SourceError) {
                readings += try Self.readings(
                    of: path, kind: kind(path), mapping: mapping, isOnly: paths.count == 1, errors: &errors)
            } catch {
                errors.append(SourceAssignmentError(.unreadable(error), path: path))
            }
        }
        guard errors.isEmpty else { throw SourceAssignmentErrors(errors) }
        // A stable sort: the files of a source keep their order.
        self.readings = mapping.sources.indices.flatMap { source in readings.filter { $0.source == source } }
        unusedSources = mapping.sources.indices.filter { source in !readings.contains { $0.source == source } }
    }

    private static func readings(
        of path: String, kind: SourceFormat.Kind, mapping: ImportMapping, isOnly: Bool,
        errors: inout [SourceAssignmentError]
    ) -> [Reading] {
        let sources = mapping.sources
        // A compressed file is also matched by its uncompressed name.
        let paths = [path] + (StreamCompression.uncompressedPath(path).map { [$0] } ?? [])
        var named = sources.indices.filter { index in
            sources[index].files.contains { pattern in
                paths.contains { pattern == $0 || FilePattern(pattern).matches($0) }
            }
        }
        let isStream = StreamInput.isStream(path)
        func reads(_ index: Int) -> Bool {
            let possible = sources[index].format.possibleKinds
            // The content of a pipe is unknown, but it cannot be a database.
            return possible.contains(kind) || (isStream && possible.contains { $0.format.isStream })
        }
        func isRejectKind(_ index: Int) -> Bool {
            sources[index].format.possibleKinds.contains { $0 != kind && $0.format.rejectKind == kind }
        }
        // Rejected records are imported again under the name of their source, possibly with another extension.
        let rejectStem = RejectFileName.stem(ofSourceOf: path)
        if named.isEmpty, let rejectStem {
            let original = rejectStem + path.dropFirst(RejectFileName.withoutExtension(path).count)
            let candidates = sources.indices.filter { reads($0) || isRejectKind($0) }
            named = candidates.filter { sources[$0].files.contains { FilePattern($0).matches(original) } }
            if named.isEmpty {
                named = candidates.filter { index in
                    sources[index].files.contains {
                        FilePattern(RejectFileName.withoutExtension($0)).matches(rejectStem)
                    }
                }
            }
        }
        let open = sources.indices.filter { sources[$0].files.isEmpty }
        let chosen = named.isEmpty ? open.filter(reads) : named
        guard !chosen.isEmpty else {
            if let other = open.first {
                errors.append(SourceAssignmentError(mismatch(sources[other], kind), path: path))
            } else {
                errors.append(SourceAssignmentError(.noMapping(patterns: patterns(of: mapping)), path: path))
            }
            return []
        }
        // Names and database tables distinguish sources, but formats alone do not.
        if named.isEmpty, !isOnly, kind.format.shape == .flat, chosen.count > 1 {
            let names = chosen.map { sources[$0].name }
            errors.append(SourceAssignmentError(.severalMappings(names: names), path: path))
            return []
        }
        return chosen.compactMap { index in
            if rejectStem != nil, !reads(index), isRejectKind(index) {
                return Reading(source: index, path: path, kind: kind)
            }
            guard reads(index) else {
                errors.append(SourceAssignmentError(mismatch(sources[index], kind), path: path))
                return nil
            }
            let format = sources[index].format
            if kind.format.shape == .tables && format.table == nil && format.query == nil {
                errors.append(SourceAssignmentError(.noTable(source: sources[index].name), path: path))
                return nil
            }
            let read = isStream ? format.impliedKind ?? kind : kind
            return Reading(source: index, path: path, kind: format.kind ?? read)
        }
    }

    private static func mismatch(
        _ source: SourceMapping, _ kind: SourceFormat.Kind
    ) -> SourceAssignmentError.Code {
        .wrongKind(found: kind, expected: source.format.possibleKinds.first ?? kind, source: source.name)
    }

    private static func patterns(of mapping: ImportMapping) -> [String] {
        var patterns: [String] = []
        for pattern in mapping.sources.flatMap(\.files) where !patterns.contains(pattern) { patterns.append(pattern) }
        return patterns
    }
}
