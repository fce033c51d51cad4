public import SQLiteAccess
import TextEncodings

/// Appends values as text to a buffer, exactly, so that reading the text gives the same value.
///
/// A class, so that a loop over rows counts one reference per value instead of those of all its parts.
public final class ValueText: Sendable {
    let form: ValueForm
    let style: ValueStyle
    let externalData: ExternalDataReader
    /// The name of the column, for errors.
    let name: String

    /// Prepares to write the values of a column; its name is used in errors.
    public init(form: ValueForm, style: ValueStyle, externalData: ExternalDataReader, name: String) {
        self.form = form
        self.style = style
        self.externalData = externalData
        self.name = name
    }

    /// The same form with a decimal point in numbers.
    var withPoint: ValueText {
        var style = style
        style.decimalSeparator = UInt8(ascii: ".")
        return ValueText(form: form, style: style, externalData: externalData, name: name)
    }

    /// Returns the text of a value; nil for NULL.
    /// - Throws: `FetchError` for a value that cannot be written exactly in its style; `ExternalDataError` for a file
    ///   that is missing.
    public func text(of value: SQLiteValue) throws -> [UInt8]? {
        switch value {
        case .null: return nil
        case .text(let bytes): return bytes
        default:
            var bytes: [UInt8] = []
            try append(value, to: &bytes)
            return bytes
        }
    }

    /// Appends a value that is not text in the database: of any storage class but TEXT and NULL.
    func append(_ row: some RowValues, _ column: Int32, _ storage: StorageClass, to bytes: inout [UInt8]) throws {
        switch storage {
        case .integer: try append(integer: row.integer(column), to: &bytes)
        case .real: try append(real: row.real(column), to: &bytes)
        case .blob: try append(blob: row, column, to: &bytes)
        case .text, .null: break
        }
    }

    /// Appends a copied value in the same way.
    func append(_ value: SQLiteValue, to bytes: inout [UInt8]) throws {
        switch value {
        case .integer(let number): try append(integer: number, to: &bytes)
        case .real(let number): try append(real: number, to: &bytes)
        case .blob(let reason) where form == .json: throw refusal(reason)
        case .blob(let blob) where form == .uuid && blob.count == 16: bytes.append(uuid: blob.span)
        case .blob(let blob): append(data: form == .externalData ? try externalData.bytes(of: blob) : blob, to: &bytes)
        case .text, .null: break
        }
    }

    func append(integer value: Int64, to bytes: inout [UInt8]) throws {
        switch form {
        case .boolean where value == 0 || value == 1: bytes += (value == 0 ? style.no : style.yes).utf8
        case .date: try append(date: Double(value), to: &bytes)
        // A whole number in a real column may be stored as an integer.
        case .real, .single: bytes.append(real: Double(value))
        default: bytes.append(integer: value)
        }
    }

    func append(real value: Double, to bytes: inout [UInt8]) throws {
        let start = bytes.count
        switch form {
        case .date: return try append(date: value, to: &bytes)
        case .decimal: bytes.append(real: value, wholeEnding: false)
        case .single where Double(Float(value)) == value: bytes.append(single: Float(value))
        default: bytes.append(real: value)
        }
        guard style.decimalSeparator != UInt8(ascii: ".") else { return }
        for index in start..<bytes.count where bytes[index] == UInt8(ascii: ".") {
            bytes[index] = style.decimalSeparator
        }
    }

    private func append(date seconds: Double, to bytes: inout [UInt8]) throws {
        switch style.dates {
        case .iso8601:
            guard bytes.append(date: seconds) else {
                throw FetchError(
                    .valueNotWritable(
                        column: name,
                        reason: "the date \(seconds) (seconds since 2001) has no exact form in ISO 8601; write dates "
                            + "as seconds2001"))
            }
        case .seconds2001: bytes.append(real: seconds)
        case .seconds1970:
            let moved = seconds + 978_307_200
            guard moved - 978_307_200 == seconds else {
                throw FetchError(
                    .valueNotWritable(
                        column: name,
                        reason: "the date \(seconds) (seconds since 2001) loses digits in seconds since 1970; write "
                            + "dates as seconds2001"))
            }
            bytes.append(real: moved)
        }
    }

    private func append(blob row: some RowValues, _ column: Int32, to bytes: inout [UInt8]) throws {
        if form == .externalData {
            return append(data: try externalData.bytes(of: row.bytes(column)), to: &bytes)
        }
        if form == .json { throw refusal(row.bytes(column)) }
        row.withBytes(of: column) { span in
            if form == .uuid, span.count == 16 {
                bytes.append(uuid: span)
            } else {
                append(data: span, to: &bytes)
            }
        }
    }

    private func refusal(_ reason: [UInt8]) -> FetchError {
        FetchError(.valueNotWritable(column: name, reason: String(decoding: reason, as: UTF8.self)))
    }

    private func append(data: [UInt8], to bytes: inout [UInt8]) {
        append(data: data.span, to: &bytes)
    }

    private func append(data span: Span<UInt8>, to bytes: inout [UInt8]) {
        switch style.binary {
        case .base64: bytes.append(base64: span)
        case .hexadecimal: bytes.append(hexadecimal: span)
        }
    }
}
