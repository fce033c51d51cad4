import Synchronization

/// One version of a model in a bundle or a folder; its document is read when it is first asked for.
public struct ModelVersion: Sendable {
    /// The name by which the bundle knows it: `Person 2` for `Person 2.xcdatamodel`.
    public let name: String

    /// The path of the `.xcdatamodel`, or of the file where there is no such folder.
    public let path: String

    /// The bundle that it belongs to; nil if it stands alone.
    public let bundle: ModelBundle?

    /// The path of the file that is read, to which the lines in a document belong.
    public var documentPath: String { content.path }

    private let content: Content

    init(name: String, path: String, bundle: ModelBundle?, documentPath: String, form: ModelForm) {
        self.name = name
        self.path = path
        self.bundle = bundle
        content = Content(path: documentPath, read: { () throws(ModelError) in try form.read(documentPath) })
    }

    /// A version that is declared otherwise than in a model's file.
    ///
    /// - Parameters:
    ///   - name: the name of the version.
    ///   - path: the path of the file that declares it.
    ///   - bundle: the bundle that it belongs to; nil if it stands alone.
    ///   - documentPath: the path of the file to which the lines in the document belong.
    ///   - read: makes the document, each time it is asked for after it was forgotten.
    public init(
        name: String, path: String, bundle: ModelBundle?, documentPath: String,
        read: @escaping @Sendable () throws(ModelError) -> ModelDocument
    ) {
        self.name = name
        self.path = path
        self.bundle = bundle
        content = Content(path: documentPath, read: read)
    }

    /// A version whose document is at hand, such as the model that a store carries.
    public init(name: String, path: String, document: ModelDocument) {
        self.name = name
        self.path = path
        bundle = nil
        content = Content(path: path, document: document)
    }

    /// Whether it is the version that new stores get; a version without a bundle is.
    public var isCurrent: Bool {
        bundle.map { $0.currentVersionName == name } ?? true
    }

    /// The document, read at the first call; an error is found again at every call.
    /// - Throws: `ModelError` where the file cannot be read, or is not a model.
    public func document() throws(ModelError) -> ModelDocument {
        try content.document().get()
    }

    /// The model, read at the first call.
    /// - Throws: `ModelError` where the file cannot be read, or is not a model.
    public func model() throws(ModelError) -> ManagedObjectModel {
        try document().model
    }

    /// Forgets a document that was read from a file; asked for again, it is read again.
    ///
    /// Of a long history one version at a time then takes memory.
    public func forgetDocument() { content.forget() }

    /// Reads once and keeps the result, for all copies of the version.
    private final class Content: Sendable {
        let path: String
        private let read: (@Sendable () throws(ModelError) -> ModelDocument)?
        private let result = Mutex<Result<ModelDocument, ModelError>?>(nil)

        init(path: String, read: @escaping @Sendable () throws(ModelError) -> ModelDocument) {
            self.path = path
            self.read = read
        }

        init(path: String, document: ModelDocument) {
            self.path = path
            read = nil
            result.withLock { $0 = .success(document) }
        }

        func forget() {
            guard read != nil else { return }
            result.withLock { $0 = nil }
        }

        func document() -> Result<ModelDocument, ModelError> {
            result.withLock { result in
                if let result { return result }
                guard let read else { return .failure(ModelError(.noVersions, path: path)) }
                let answer = Result { () throws(ModelError) in try read() }
                result = answer
                return answer
            }
        }
    }
}

extension ModelVersion: CustomStringConvertible {
    /// The name, with the bundle's where there is one: `Person/Person 2`.
    public var description: String {
        (bundle.map { $0.name + "/" } ?? "") + name
    }
}
