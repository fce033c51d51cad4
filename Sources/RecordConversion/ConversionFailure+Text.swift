extension ConversionFailure {
    /// Core Data's error code: 1610 and 1620 for numbers out of range, 1650 for dates, 1690 for URIs, otherwise 1550.
    public var code: Int {
        switch reason {
        case .numberTooLarge: 1610
        case .numberTooSmall: 1620
        case .notADate, .noSuchDate: 1650
        case .notAURI: 1690
        default: 1550
        }
    }

    /// The error, without the value and the expected form.
    public var sentence: String {
        switch reason {
        case .notAnInteger: "not an integer"
        case .numberTooLarge: "the number is too large"
        case .numberTooSmall: "the number is too small"
        case .hasFraction: "the number has a fraction, which an integer cannot hold"
        case .notADecimal: "not a decimal number"
        case .tooManyDigits: "more digits than a decimal holds"
        case .inexactKey: "more digits than a store keeps, so that other keys would be the same there"
        case .notANumber: "not a number"
        case .notABoolean: "neither a word for yes nor one for no"
        case .notADate: "not a date in the expected format"
        case .noSuchDate: "there is no such day or time"
        case .notAUUID: "not a UUID"
        case .notAURI: "not a valid URI; percent-encode what is not allowed in one"
        case .notBase64: "not base64"
        case .notHexadecimal: "not hexadecimal"
        case .notText: "bytes that are not text"
        case .notASingleValue: "an object or list where a single value is expected"
        case .unsafePath: "the path does not stay in the folder of the data"
        case .unreadableFile: "the file cannot be read"
        case .fileTooLarge: "the file is too large"
        case .notComputable: "the expression cannot be computed"
        case .notArchivable: "its value transformer makes no data of it"
        }
    }
}
