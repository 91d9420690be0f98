@_exported import KeyflightRecorder
@_exported import KeyflightUIKit
