import FoundationEssentials

/// The models at a path in a revision of their Git repository, in a temporary folder that is removed with this object.
///
/// The repository is only read: its index and working tree are not changed.
public final class GitSnapshot {
    /// The path of the models in that revision; nil if they were added later.
    public private(set) var path: String?

    /// The path in the repository that the models had in that revision, if it differs.
    public private(set) var formerPath: String?

    private let folder: String

    /// The maximum total size of the models in a revision, in bytes; the largest known history has about 20 MB.
    private static let maximumSize = 512 << 20

    /// Extracts the files of models from a revision.
    /// - Parameters:
    ///   - model: the path of a bundle, a model, or a folder that contains some, inside a repository.
    ///   - revision: any name of a commit for Git: a tag, a branch, `HEAD~3`.
    /// - Throws: `GitError` if Git is not installed or fails, and if the repository, revision or model does not exist.
    public init(of model: String, revision: String) throws(GitError) {
        folder = FileManager.default.temporaryDirectory.path + "/ferry-lint-" + UUID().uuidString
        try Self.makeFolder(folder)
        let git = GitProcess(folder: folder)
        let model = URL(fileURLWithPath: model).resolvingSymlinksInPath().path
        var isFolder = false
        let exists = FileManager.default.fileExists(atPath: model, isDirectory: &isFolder)
        let start = exists && isFolder ? model : FormerModelPath.folder(of: model)
        let top = try git.run(["rev-parse", "--show-toplevel"], in: start)
        if top.status == 127 { throw GitError(.gitMissing) }
        guard top.status == 0 else {
            // Git also refuses a repository of another owner, and one whose configuration it cannot read.
            let isNone = top.errors.contains("not a git repository")
            throw GitError(isNone ? .noRepository(path: model) : .failed(top.errors))
        }
        let root = Self.line(top.output)
        guard model == root || model.hasPrefix(root == "/" ? root : root + "/") else {
            throw GitError(.noRepository(path: model))
        }
        let relative = String(model.dropFirst(root.count).drop { $0 == "/" })
        let commit = try Self.commit(revision, in: root, by: git)
        var place = relative
        var files = try Self.files(of: commit, below: relative, in: root, by: git)
        if files.isEmpty {
            let all = try Self.files(of: commit, below: "", in: root, by: git)
                // Files that still exist there have not been moved here.
                .filter { !FileManager.default.fileExists(atPath: root + "/" + $0.path) }
            guard !all.isEmpty else { return }
            let ids = try Self.identifiers(of: model, in: root, by: git)
            let former = FormerModelPath(
                of: relative, files: ids, among: all.map { ($0.path, $0.object) })
            guard let found = former.path else { throw GitError(.noModels(revision, candidates: former.candidates)) }
            place = found
            formerPath = found
            files = all.filter { found.isEmpty || $0.path == found || $0.path.hasPrefix(found + "/") }
        }
        try extract(files, in: root, by: git)
        path = folder + "/models" + (place.isEmpty ? "" : "/" + place)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func commit(_ revision: String, in root: String, by git: GitProcess) throws(GitError) -> String {
        // A name that begins with a dash would be an option.
        guard !revision.hasPrefix("-") else { throw GitError(.unknownRevision(revision)) }
        let found = try git.run(["rev-parse", "--verify", "--quiet", revision + "^{commit}"], in: root)
        guard found.status == 0 else { throw GitError(.unknownRevision(revision)) }
        return Self.line(found.output)
    }

    /// Returns the output of Git, without the line end.
    private static func line(_ output: Data) -> String {
        String(decoding: output.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    private struct File {
        let path: String
        let object: String
        let size: Int
    }

    /// Returns the files of models, without links and submodules.
    private static func files(
        of commit: String, below path: String, in root: String, by git: GitProcess
    ) throws(GitError) -> [File] {
        let listing = try git.run(
            ["ls-tree", "-r", "-z", "-l", "--full-tree", commit] + (path.isEmpty ? [] : ["--", path]), in: root)
        guard listing.status == 0 else { throw GitError(.failed(listing.errors)) }
        var total = 0
        var files: [File] = []
        for record in listing.output.split(separator: 0) {
            // MODE blob OBJECT SIZE<tab>PATH
            let parts = String(decoding: record, as: UTF8.self).split(separator: "\t", maxSplits: 1)
            let words = parts.first?.split(separator: " ") ?? []
            guard parts.count == 2, words.count == 4, words[0].hasPrefix("100"), isOfModel(String(parts[1]))
            else { continue }
            // A partial clone lacks some objects, and nothing is fetched here.
            guard let size = Int(words[3]) else {
                throw GitError(
                    .failed("the object \(words[2]) of \(parts[1]) is not in the repository; fetch it with git first"))
            }
            // The size of a damaged object may be any number.
            guard size <= maximumSize - total else { throw GitError(.tooLarge(bytes: maximumSize)) }
            total += size
            files.append(File(path: String(parts[1]), object: String(words[2]), size: size))
        }
        return files
    }

    private static func isOfModel(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        guard let name = parts.last, !parts.contains("..") else { return false }
        return ["contents", "elements", ".xccurrentversion", "VersionInfo.plist"].contains(name)
            || name.hasSuffix(".mom") || name.hasSuffix(".swift")
    }

    /// Returns the object identifiers of the current files of models, by their paths below the model.
    private static func identifiers(
        of model: String, in root: String, by git: GitProcess
    ) throws(GitError) -> [String: String] {
        let below = (try? FileManager.default.subpathsOfDirectory(atPath: model)) ?? []
        let names = below.filter { isOfModel($0) && !$0.contains("\n") }.sorted()
        let paths = names.map { "\(model)/\($0)\n" }.joined()
        guard !names.isEmpty, !model.contains("\n") else { return [:] }
        let answer = try git.run(["hash-object", "--no-filters", "--stdin-paths"], in: root, input: paths)
        guard answer.status == 0 else { throw GitError(.failed(answer.errors)) }
        let ids = String(decoding: answer.output, as: UTF8.self).split(separator: "\n").map(String.init)
        return Dictionary(zip(names, ids)) { first, _ in first }
    }

    /// Extracts files. For each object, Git outputs `OBJECT blob SIZE`, a newline, the bytes and a newline.
    private func extract(_ files: [File], in root: String, by git: GitProcess) throws(GitError) {
        let objects = files.map { $0.object + "\n" }.joined()
        let answer = try git.run(["cat-file", "--batch"], in: root, input: objects)
        guard answer.status == 0 else { throw GitError(.failed(answer.errors)) }
        var rest = answer.output[...]
        for file in files {
            guard let newline = rest.firstIndex(of: UInt8(ascii: "\n")),
                rest.distance(from: newline, to: rest.endIndex) > file.size + 1
            else { throw GitError(.failed("the object \(file.object) of \(file.path) is missing")) }
            let start = newline + 1
            let target = folder + "/models/" + file.path
            try Self.makeFolder(FormerModelPath.folder(of: target))
            do {
                try Data(rest[start..<start + file.size]).write(to: URL(fileURLWithPath: target))
            } catch {
                throw GitError(.failed("\(error)"))
            }
            rest = rest[(start + file.size + 1)...]
        }
    }

    private static func makeFolder(_ path: String) throws(GitError) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw GitError(.failed("\(error)"))
        }
    }
}
