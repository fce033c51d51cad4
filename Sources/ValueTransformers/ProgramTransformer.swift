public import ExternalPrograms
public import KeyedArchives
import Synchronization
import TextEncodings

/// A value transformer that is a program: it gets values and bytes as JSON lines, and answers each with a line.
///
/// The program is started by the first value, and runs as long as the transformer is there; contexts of several tasks
/// ask it one after the other. One that has ended, or has given an answer that makes no sense, is started again by the
/// next value.
public final class ProgramTransformer: AttributeValueTransformer {
    private let program: ExternalProgram
    private let name: String
    private let dialog = Mutex<ProgramDialog?>(nil)

    /// Makes a transformer; the program is not started yet.
    ///
    /// - Parameters:
    ///   - program: the program.
    ///   - name: what the program is told that it is: the transformer's name in the model.
    public init(_ program: ExternalProgram, as name: String) {
        self.program = program
        self.name = name
    }

    /// Returns the bytes that the program makes of a value.
    /// - Throws: `ValueTransformerError` if the program refuses the value, cannot be started, ends, is silent for too
    ///   long, or answers something else.
    public func transformedValue(_ value: PropertyListValue) throws -> [UInt8] {
        var line = Array("{\"transform\":".utf8)
        try PropertyListJSON.append(value, to: &line)
        let answer = try answer(to: line)
        guard let data = answer["data"]?.string.flatMap({ Base64.decode($0) }) else {
            throw failure("its answer has no base64 as \"data\"")
        }
        return data
    }

    /// Returns the value that the program makes of bytes.
    /// - Throws: `ValueTransformerError` if the program refuses the bytes, cannot be started, ends, is silent for too
    ///   long, or answers something else.
    public func reverseTransformedValue(_ bytes: [UInt8]) throws -> PropertyListValue {
        let answer = try answer(to: Array("{\"reverse\":\"\(Base64.encode(bytes))\"".utf8))
        guard let value = answer["value"] else { throw failure("its answer has no \"value\"") }
        return try PropertyListJSON.value(value)
    }

    /// Sends a request, without the bracket at its end, and waits for the answer.
    private func answer(to request: [UInt8]) throws -> JSONValue {
        let (program, greeting) = (program, greeting)
        let answer: Result<JSONValue, ValueTransformerError> = dialog.withLock { dialog in
            do {
                let current = try dialog ?? ProgramDialog(program)
                current.send((dialog == nil ? greeting : []) + request + Array("}\n".utf8))
                // One that fails is not asked again.
                dialog = nil
                var answer: JSONValue?
                _ = try current.receive { received, line in
                    answer = try JSONLineParser.value(received, in: line)
                    return .endOfBatch
                }
                dialog = current
                return .success(answer ?? .null)
            } catch let error as JSONLineParser.Failure {
                return .failure(failure("column \(error.column) of its answer is not JSON: \(error.reason)"))
            } catch {
                return .failure(failure("\(error)"))
            }
        }
        let value = try answer.get()
        if let reason = value["error"] { throw failure("it says: \(reason.string ?? reason.kind)") }
        return value
    }

    private var greeting: [UInt8] {
        var line = Array("{\"ferry\":1,\"transformer\":".utf8)
        line.append(json: name.utf8.span)
        return line + Array("}\n".utf8)
    }

    private func failure(_ reason: String) -> ValueTransformerError {
        ValueTransformerError("\(name), \(program.words[0]): \(reason)")
    }
}
